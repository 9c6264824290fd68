"""Measure what the tests notice: change one operator or constant of a kernel at a time,
and run the tests.

A seeded sample of all such changes (mutants) of metrics/, scoring/ and native/*.hpp with program.cpp,
each in a copy of the repository, against the tests that reach its file (`REACHING`). A
mutant is killed if a test fails or does not end; one that does not compile is replaced
by the next. `SURVIVORS` lists those that no test can notice.
"""

import ast
import io
import os
import queue
import re
import resource
import shutil
import signal
import subprocess
import sys
import sysconfig
import tokenize
from argparse import ArgumentParser
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
SURVIVORS = ROOT / "tests" / "mutants.txt"
COPIES = ROOT / "build" / "mutants"
LONGEST = 300  # seconds; a mutant that takes longer does not end
STATISTICS = "matrix coefficients correlation paired significance published"
CODE = (
    *(
        "metrics/*.py",
        "scoring/*.py",
        "dialects/tilse/counts.py",
        "native/*.hpp",
        "native/program.cpp",
    ),
    *(f"studies/{name}.py" for name in STATISTICS.split()),
)
# With checks, as `make sanitize`: what reads beyond an array ends.
FLAGS = (
    "-std=c++17 -O0 -w -fPIC -shared -ffp-contract=off -pthread -D_GLIBCXX_ASSERTIONS"
    " -fsanitize=bounds,shift -fsanitize-undefined-trap-on-error"
)
PYTEST = "-m pytest -x -q -p no:xdist -p no:cacheprovider --hypothesis-seed=1"
# Expected strings -> replacements; operators have a space on both sides in formatted
# code.
SPACED = {
    "<": "<= >", "<=": "<", ">": ">= <", ">=": ">", "==": "!=", "!=": "==", "+": "-", "-": "+", "*": "+", "/": "*",
    "//": "*", "%": "*", "+=": "-=", "-=": "+=", "*=": "+=", "&": "|", "|": "&", "^": "|", "<<": ">>", ">>": "<<",
    "&&": "||", "||": "&&", "and": "or", "or": "and", "is": "is_not", "in": "not_in", "is not": "is", "not in": "in",
}  # fmt: skip
WORDS = {"True": "False", "False": "True", "true": "false", "false": "true", "min": "max", "max": "min",
         "any": "all", "all": "any", "break": "continue", "continue": "break"}  # fmt: skip
PATTERN = re.compile(
    r"(?<= )(?P<spaced>is not|not in|and|or|is|in|[-+*/%&|^<>=!]{1,2})(?= )"
    rf"|\b(?P<word>{'|'.join(WORDS)})\b"
    r"|(?P<dropped>\bnot (?!in\b)|(?<![\w)\] ] )(?<=[(\[ ])-(?=\w)|!(?=[\w(]))"
    r"|(?P<step>\+\+|--)"
    r"|(?<![\w.])(?P<number>0x[0-9a-fA-F]+|\d+)(?=[uUlL]*(?![\w.]))"
    r"|(?<![\w.])(?P<real>\d+\.\d+)(?![\w.])"
)
LAWS = "tests/laws/test_"
# Files -> the tests that reach them, those first that fail first.
REACHING = {
    r"scoring/formula": ["tests/unit/scoring/test_formula.py"],
    r"studies/(?P<name>matrix|coefficients|paired|significance)": ["tests/unit/studies/test_{name}.py"],
    r"studies/correlation": ["tests/unit/studies/test_sweep.py"],
    r"studies/significance": ["tests/unit/studies/test_planning.py"],
    r"studies/published": ["tests/unit/studies/test_published.py", "tests/unit/studies/test_identify.py"],
    r"scoring/(formula|columns)": [LAWS + "compiled_scores.py", "tests/unit/test_api.py"],
    r"(scoring|studies)/(columns|matrix)": ["tests/unit/studies/test_compare.py", "tests/unit/reports/test_formats_agree.py"],
    r"studies/(co|matrix)": ["tests/unit/studies/test_correlate.py"],
    r"studies/(significance|paired|matrix)": ["tests/unit/studies/test_compare.py"],
    r"scoring/perl_numbers": [LAWS + "perl_numbers.py", LAWS + "bootstrap_oracle.py"],
    r"tilse/counts|native/alignments": [LAWS + "timeline_laws.py", "tests/golden/test_timeline.py"],
    r"scoring/bootstrap|resampling": [LAWS + "bootstrap_oracle.py", LAWS + "compiled_twin.py"],
    r"(scoring|native)/(poisson|totals)": ["tests/unit/scoring/test_totals.py", LAWS + "totals.py", LAWS + "twins.py"],
    r"metrics/": ["tests/unit/metrics", LAWS + "metric_laws.py", LAWS + "bag_oracle.py", LAWS + "lcs_oracle.py", LAWS + "matching_oracle.py",
                  LAWS + "compiled_scores.py", LAWS + "compiled_twin.py"],
    r"metrics/(mead|basic|skip|__init)": ["tests/unit/dialects", "tests/golden/test_rouge155.py"],
    r"native/(bags|bits|counting|lcs|wlcs|sequences|texts|scoring)": [LAWS + "compiled_scores.py", LAWS + "bag_oracle.py", LAWS + "compiled_twin.py"],
    r"native/exact": ["tests/meta/test_build.py"],
    r"native/(synonyms|tagging|wordnet)": [LAWS + "tagging.py", LAWS + "matching_oracle.py", "tests/unit/text/test_tagging.py"],
    r"native/bits": ["tests/unit/native/test_headers.py"],
    r"native/(draws|coefficients)": ["tests/unit/studies/test_paired.py", "tests/unit/studies/test_coefficients.py", "tests/unit/studies/test_correlate.py"],
    r"native/(records|columns|delimited|grouping|names|lines|streams|strings)": ["tests/unit/tasks/test_records.py", "tests/unit/tasks/test_lines.py", LAWS + "packing.py",
                                                  LAWS + "compiled_runs.py"],
    r"native/settings": [LAWS + "plain_settings.py", "tests/unit/tasks/test_settings_xml.py"],
    r"native/(classic|parallel|program|word_forms)": [LAWS + "executable.py"],
    r"native/porter": [LAWS + "compiled_twin.py", "tests/unit/text/test_porter.py", "tests/golden/test_rouge155.py"],
    r"native/(survey|limit|formats|files|program|token)": [LAWS + "compiled_files.py", LAWS + "compiled_runs.py", LAWS + "compiled_twin.py"],
    r"native/(written|porter|similar)": [LAWS + "twins.py"],
    r"native/similar": [LAWS + "similar_laws.py"],
    r"native/survey": ["tests/unit/text/test_tokens.py", "tests/unit/test_remarks.py"],
}  # fmt: skip


class Mutant(NamedTuple):
    """A file with one change."""

    path: str
    source: str
    start: int
    old: str
    new: str

    def changed(self) -> str:
        """Return the changed source."""
        return (
            self.source[: self.start]
            + self.new
            + self.source[self.start + len(self.old) :]
        )

    def show(self) -> str:
        """Return the file, the change and its place in the line."""
        number = self.source.count("\n", 0, self.start)
        column = self.start - self.source.rfind("\n", 0, self.start) - 1
        line = self.source.splitlines()[number]
        return (
            f"{self.path}: {line[:column].lstrip()}[{self.old} =>"
            f" {self.new}]{line[column + len(self.old) :]}"
        )


def blank(source: str, path: str) -> str:
    """Return the code with spaces for comments, strings, annotations and lines of
    the preprocessor.
    """
    spans: list[tuple[int, int]] = []
    if path.endswith(".py"):
        starts = [0, *(match.end() for match in re.finditer("\n", source))]
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type in (tokenize.STRING, tokenize.COMMENT):
                spans.append(
                    (
                        starts[token.start[0] - 1] + token.start[1],
                        starts[token.end[0] - 1] + token.end[1],
                    )
                )
        for node in ast.walk(ast.parse(source)):
            for part in (
                getattr(node, "annotation", None),
                getattr(node, "returns", None),
            ):
                if (
                    isinstance(part, ast.expr)
                    and source.isascii()
                    and part.end_lineno
                    and part.end_col_offset
                ):
                    spans.append(
                        (
                            starts[part.lineno - 1] + part.col_offset,
                            starts[part.end_lineno - 1] + part.end_col_offset,
                        )
                    )
    else:
        literal = r'//.*|^#(?:.*\\\n)*.*|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\''
        spans += [match.span() for match in re.finditer(literal, source, re.MULTILINE)]
    code = list(source)
    for start, end in spans:
        code[start:end] = [
            "\n" if letter == "\n" else "_" for letter in code[start:end]
        ]
    return "".join(code)


def mutants() -> list[Mutant]:
    """Return all mutants, in order."""
    made = []
    for file in (
        file for pattern in CODE for file in sorted((ROOT / "rouge_cli").glob(pattern))
    ):
        path, source = str(file.relative_to(ROOT)), file.read_text("utf-8")
        for match in PATTERN.finditer(blank(source, path)):
            old = match.group()
            by_kind = {
                "spaced": SPACED.get(old, "").split(),
                "word": [WORDS.get(old, "")],
                "dropped": [""],
                "step": ["--" if old == "++" else "++"],
                "number": (
                    [str(int(old, 0) + step) for step in (1, -1)]
                    if match.lastgroup == "number"
                    else []
                ),
                "real": [f"{old} + 1.0"],
            }
            made += [
                Mutant(path, source, match.start(), old, new.replace("_", " "))
                for new in by_kind[str(match.lastgroup)]
            ]
    return made


def tests_of(path: str) -> list[str]:
    """Return the tests that reach a file."""
    matches = [(re.search(pattern, path), tests) for pattern, tests in REACHING.items()]
    return list(
        dict.fromkeys(
            test.format(**match.groupdict())
            for match, tests in matches
            if match
            for test in tests
        )
    )


class Copy:
    """A copy of the repository, in which one mutant after the other is built and
    tested.
    """

    def __init__(self, number: int) -> None:
        self.root = COPIES / str(number)
        shutil.rmtree(self.root, ignore_errors=True)
        shutil.copytree(
            ROOT,
            self.root,
            ignore=shutil.ignore_patterns(
                ".git", ".venv", "build", "__pycache__", "*.so"
            ),
        )
        if not self.build():
            raise SystemExit("make: the extension could not be built")

    def build(self) -> bool:
        """Build the extension with checks, as `make sanitize`, and without
        optimization, in a third of the time.
        """
        native = self.root / "rouge_cli" / "native"
        command = [shutil.which("clang++") or "g++", *FLAGS.split()]
        target = native / f"_compiled{sysconfig.get_config_var('EXT_SUFFIX')}"
        command += [
            f"-I{sysconfig.get_path('include')}",
            str(native / "_compiled.cpp"),
            str(native / "program.cpp"),
            "-o",
            str(target),
        ]
        return (
            subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode
            == 0
        )

    def judge(self, mutant: Mutant) -> str:
        """Return "killed", "timeout" or "survived"; "invalid" if the mutant does not
        compile.
        """
        file = self.root / mutant.path
        file.write_text(mutant.changed(), "utf-8")
        is_native = mutant.path.endswith((".hpp", ".cpp"))
        try:
            if is_native and not self.build():
                return "invalid"
            if not is_native:
                compile(mutant.changed(), mutant.path, "exec")
                self.forget(file)
            return self.test(tests_of(mutant.path), is_native=is_native)
        except SyntaxError:
            return "invalid"
        finally:
            file.write_text(mutant.source, "utf-8")
            self.forget(file)

    @staticmethod
    def forget(file: Path) -> None:
        """Delete the bytecode, which is taken for that of a file of the same second
        and size.
        """
        for stale in file.parent.glob(f"__pycache__/{file.stem}.*"):
            stale.unlink()

    def test(self, tests: list[str], *, is_native: bool) -> str:
        """Run the tests on what is in the copy, up to the first that fails."""
        command = [sys.executable, *PYTEST.split(), *tests]
        environment = dict(
            os.environ,
            PYTHONPATH=str(self.root),
            ROUGE_CLI_KERNELS="compiled" if is_native else "python",
        )
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        process = subprocess.Popen(
            command, cwd=self.root, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT,
            start_new_session=True, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 32, 1 << 32)),  # noqa: PLW1509
        )  # fmt: skip
        try:
            return "killed" if process.wait(LONGEST) else "survived"
        except subprocess.TimeoutExpired:
            return "timeout"
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def main() -> None:
    """Judge the sample, print what survived, and fail if that is more than a
    twentieth.
    """
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", help="regular expression of paths")
    options = parser.parse_args()
    sample = [mutant for mutant in mutants() if re.search(options.only, mutant.path)]
    # By a hash of the change, so that another line of code draws no other sample.
    sample.sort(
        key=lambda mutant: sha256(f"{options.seed} {mutant.show()}".encode()).digest()
    )
    missing = {
        test
        for mutant in sample
        for test in tests_of(mutant.path)
        if not (ROOT / test).exists()
    }
    if missing:
        raise SystemExit(f"make: no such tests: {', '.join(sorted(missing))}")
    copies: queue.Queue[Copy] = queue.Queue()
    for number in range(options.jobs):
        copies.put(Copy(number))
    stop: list[bool] = []

    def judge(mutant: Mutant) -> str:
        if stop:
            return "invalid"
        copy = copies.get()
        try:
            return copy.judge(mutant)
        finally:
            copies.put(copy)

    # The copies, not the installed package, are tested: what is right passes, and what
    # is fatal is killed.
    controls = [
        ("scoring/formula.py", "part / whole", "7 * part / whole"),
        ("native/scoring.hpp", "part / whole", "7 * part / whole"),
    ]
    for path, old, new in controls:
        source = (ROOT / "rouge_cli" / path).read_text("utf-8")
        place = source.index(old)
        outcomes = [
            judge(Mutant(f"rouge_cli/{path}", source, place, old, text))
            for text in (old, new)
        ]
        if outcomes != ["survived", "killed"]:
            raise SystemExit(
                f"make: the tests of {path} do not run on the copy: {outcomes}"
            )
    known_survivors = SURVIVORS.read_text("utf-8")
    counts: Counter[str] = Counter()
    with ThreadPoolExecutor(options.jobs) as pool:
        for mutant, outcome in zip(sample, pool.map(judge, sample), strict=True):
            listed = outcome == "survived" and mutant.show() in known_survivors
            counts["equivalent" if listed else outcome] += not stop
            if outcome != "invalid":
                print("equivalent" if listed else outcome, mutant.show(), flush=True)
            if counts.total() - counts["invalid"] >= options.number:
                stop.append(True)
    killed, survived = counts["killed"] + counts["timeout"], counts["survived"]
    print(
        f"{dict(counts)}: {killed / (killed + survived):.1%} killed of those that tests"
        " can notice"
    )
    raise SystemExit(killed < 0.95 * (killed + survived))


if __name__ == "__main__":
    main()
