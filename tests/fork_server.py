"""Run the project's programs for the tests: each run is a fork of this process, which has imported them.

A request is the three standard streams, as descriptors, and pickled bytes: arguments, folder, environment
and the size that files may have.
The answer is the exit status, as subprocess has it.
"""

import atexit
import gc
import os
import pickle
import pkgutil
import resource
import signal
import socket
import sys
from contextlib import suppress
from importlib import import_module

# Modules that rouge-cli imports when needed, besides its own.
LIBRARIES = (
    *(
        "concurrent.futures.thread",
        "difflib",
        "importlib.metadata",
        "importlib.resources",
        "javaproperties",
    ),
    *("jinja2", "lxml.etree", "nltk.stem", "numpy.ma", "numpy.random", "punkt.data.english", "regex"),
    *("rich.console", "rich.table", "scipy.stats", "sentencex"),
)
# Modules that take a second to import and that most runs do without: a light server lacks them.
HEAVY = ("javaproperties", "nltk", "punkt", "scipy", "sentencex", "rouge_cli.studies.plots")
# Modules of the drop-in, which uses none of these libraries.
DROP_IN = (
    *("__main__", "cli.rouge155", "dialects.rouge155.texts", "formats.isi"),
    *("formats.see", "formats.simple", "formats.spl", "metrics.basic_elements", "native._compiled"),
    *("reading", "tasks.kinds.list", "tasks.kinds.settings", "tasks.settings_xml", "text.tokens"),
)
# A run that takes longer is ended by a signal.
PATIENCE = 120


def preload(program: str, *, is_light: bool) -> None:
    """Import what the program may import."""
    names = [f"rouge_cli.{name}" for name in DROP_IN]
    if not program.endswith((".pl", ".py")):
        import rouge_cli

        ours = pkgutil.walk_packages(rouge_cli.__path__, "rouge_cli.")
        names = [*(module.name for module in ours), *LIBRARIES]
    if is_light:
        names = [name for name in names if not name.startswith(HEAVY)]
    for name in names:
        with suppress(ImportError):  # modules that were not built or installed
            import_module(name)
    sys.modules["rouge_cli.runs.parallel"].WORTH_THREADS = 0  # type: ignore[attr-defined]  # for small inputs
    # What preloaded modules have registered a new process has not; coverage registers in each fork again.
    atexit._clear()  # noqa: SLF001
    gc.freeze()


def serve(channel: socket.socket) -> None:
    """Fork for each request; return in the fork, as a new process would begin."""
    with channel, channel.makefile("rb") as requests:
        while streams := socket.recv_fds(channel, 1, 3)[1]:
            arguments, folder, environment, file_size = pickle.load(requests)  # noqa: S301 - of our own tests
            process = os.fork()
            if not process:
                break
            for stream in streams:
                os.close(stream)
            ended = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
            channel.sendall(f"{ended}\n".encode())
        else:
            os._exit(0)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    signal.alarm(PATIENCE)
    if file_size is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, file_size))
    os.chdir(folder)
    os.environb.clear()
    os.environb.update(environment)
    sys.argv[:] = map(os.fsdecode, arguments)


if __name__ == "__main__":
    sys.path[0] = os.path.dirname(sys.executable)  # as for an installed program
    preload(sys.argv[1], is_light="light" in sys.argv[3:])
    serve(socket.socket(fileno=int(sys.argv[2])))
    from rouge_cli import __main__ as programs

    programs.rouge155() if sys.argv[0].endswith((".pl", ".py")) else programs.rouge_cli()
