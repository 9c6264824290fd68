"""Entry points of `rouge-cli` (also `python -m rouge_cli`) and `ROUGE-1.5.5.pl`.

The handler for Ctrl-C is installed before anything else is imported.
"""

import _thread
import atexit
import gc
import os
import sys

from rouge_cli.io import interrupts


def rouge_cli() -> None:
    """Run `rouge-cli` as the process's own program."""
    status: int | str | None = 1

    def leave() -> None:
        """Exit without interpreter teardown, a quarter of a short run's time."""
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        except (AttributeError, OSError, ValueError):
            return  # stream closed or disk full; the interpreter reports it
        if status is None or isinstance(status, int):
            os._exit(status or 0)

    if not _is_watched():
        atexit.register(leave)  # registered first, so called last
    # With the default, the collector traverses a batch of evals ten times
    gc.set_threshold(50_000)
    # numpy's last digits depend on its number of threads, which also take three times
    # the CPU.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    _hold_closed_streams()
    interrupts.install("rouge-cli")
    from rouge_cli.cli import streams

    streams.install()
    from rouge_cli.cli.main import main

    try:
        main()
    except SystemExit as end:
        status = end.code
        raise


def rouge155(home: str | None = None) -> None:
    """Run `ROUGE-1.5.5.pl` as the process's own program; `home` is the ROUGE home of
    its launcher.

    The variable ROUGE_CLI_HOME names the home if its launcher called the executable.
    """
    if home is None and (launched := os.environ.get("ROUGE_CLI_HOME")):
        home = os.path.realpath(launched)
    is_watched = _is_watched()
    gc.disable()  # the run is short, and the system frees all memory at its end
    _hold_closed_streams()
    interrupts.install("ROUGE-1.5.5.pl")
    from contextlib import suppress

    from rouge_cli.cli import streams
    from rouge_cli.cli.rouge155 import main

    streams.install()
    status = main(home=home)
    for stream in (sys.stdout, sys.stderr):
        # The stream is full, closed or None
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
    if is_watched:
        sys.exit(status)
    os._exit(status)  # without interpreter teardown, a few percent of a run's time


def _is_watched() -> bool:
    """Return True if a tool needs an orderly exit of this process: coverage, a
    profiler, a debugger.

    Python starts such a tool before this program, by a `.pth` file, `sitecustomize` or
    `-m`.
    """
    monitoring = getattr(sys, "monitoring", None)  # since Python 3.12
    return bool(
        atexit._ncallbacks()  # noqa: SLF001 - private, but in every Python since 3.0
        or _thread._count()  # noqa: SLF001 - as above
        or sys.gettrace()
        or sys.getprofile()
        or sys.flags.inspect
        or (monitoring and any(map(monitoring.get_tool, range(6))))
    )


def _hold_closed_streams() -> None:
    """Open the null device for closed standard streams, so that no other file gets
    their descriptors.
    """
    if None in (sys.stdin, sys.stdout, sys.stderr):
        while (descriptor := os.open(os.devnull, os.O_RDONLY)) <= 2:
            pass
        os.close(descriptor)


if __name__ == "__main__":
    rouge_cli()
