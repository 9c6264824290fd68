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

    def end_at_once() -> None:
        """End without interpreter teardown, a quarter of a short run's time."""
        # The interpreter reports a stream that is closed or full, and a message
        if _flush() and (status is None or isinstance(status, int)):
            os._exit(status or 0)

    if not _is_watched():
        # Python calls last what was registered first: all libraries have cleaned up
        atexit.register(end_at_once)
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
    launched = os.environ.get("ROUGE_CLI_HOME") or _home_of(sys.argv[0])
    if home is None and launched:
        home = os.path.realpath(launched)
    is_watched = _is_watched()
    gc.disable()  # the run is short, and the system frees all memory at its end
    _hold_closed_streams()
    interrupts.install("ROUGE-1.5.5.pl")
    from rouge_cli.cli import streams
    from rouge_cli.cli.rouge155 import main

    streams.install()
    status = main(home=home)
    _flush()
    if is_watched:
        sys.exit(status)
    os._exit(status)  # without interpreter teardown, a few percent of a run's time


def _home_of(program: str, *, is_windows: bool = os.name == "nt") -> str | None:
    """Return the ROUGE home of a program that `rouge-cli home` copied into it on
    Windows, where no script of that name is installed; None if it is in no home.
    """
    if not is_windows:
        return None
    folder = os.path.dirname(os.path.abspath(program))
    has_script = os.path.isfile(os.path.join(folder, "ROUGE-1.5.5.pl"))
    return folder if has_script else None


def _flush() -> bool:
    """Write what the standard streams still hold; return False if one of them is closed
    or full.
    """
    is_written = True
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (AttributeError, OSError, ValueError):  # noqa: PERF203 - None, full, closed
            is_written = False
    return is_written


def _is_watched() -> bool:
    """Return True if a tool needs an orderly end of this process: coverage, a profiler,
    a debugger.

    Python starts such a tool before this program, by a `.pth` file, `sitecustomize` or
    `-m`. So it has registered a callback for the end, started a thread, or set a hook.
    """
    # Both functions are private, but in every Python since 3.0; no others tell
    has_callbacks = atexit._ncallbacks() > 0  # noqa: SLF001
    has_threads = _thread._count() > 0  # noqa: SLF001
    has_hooks = sys.gettrace() is not None or sys.getprofile() is not None
    return (
        has_callbacks
        or has_threads
        or has_hooks
        or bool(sys.flags.inspect)
        or _is_monitored()
    )


def _is_monitored() -> bool:
    """Return True if a tool uses `sys.monitoring`, which is in Python since 3.12."""
    monitoring = getattr(sys, "monitoring", None)
    if monitoring is None:
        return False
    return any(monitoring.get_tool(number) for number in range(6))


def _hold_closed_streams() -> None:
    """Open the null device for closed standard streams, so that no other file gets
    their descriptors.
    """
    if None not in (sys.stdin, sys.stdout, sys.stderr):
        return
    descriptor = os.open(os.devnull, os.O_RDONLY)
    while descriptor <= 2:  # that of a standard stream, which stays open
        descriptor = os.open(os.devnull, os.O_RDONLY)
    os.close(descriptor)


if __name__ == "__main__":
    rouge_cli()
