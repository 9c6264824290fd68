r"""Folders of texts, with one text per file; file names determine the evals.

    outputs/doc1.txt outputs/doc2.txt        one system, `outputs`
    systems/A/doc1.txt systems/B/doc1.txt    two systems, `A` and `B`
    references/doc1.A.txt                    the references `A` and `B` of eval `doc1`
    references/doc1.B.txt
    references/ann/doc1.txt                  the references `ann` and `bob`, in
    references/bob/doc1.txt                  sub-folders

A prediction's key is its name without the suffix `.txt` (and `.gz`); a suffix that is a
number stays. A reference belongs to the longest key that equals, begins or ends its
stem; `.`, `_` or `-` separates the key from the rest. Or the key stands around one part
of the stem, as `text.001.txt` around `text.A.001.txt` in pyrouge. Other names need
patterns: `sum.(\d+).txt` captures a prediction's key, and in `ref.[A-Z].#ID#.txt` the
key replaces #ID#. A group called `system` captures the system, if the folder has those
of several: `(?P<id>D\d+-\w).M.100.\w.(?P<system>\d+)`. Files whose names start with a
dot are ignored.

ROUGE 2.0 has a project folder, with files named TASK_NAME:

    news/reference/doc1_ann.txt  news/reference/doc1_bob.txt
    news/system/doc1_lead.txt    news/system/doc1_extract.txt

These names are split at every `_`. The first part is the task, in any case. The second
part is the system or the reference; if it is the last part, it includes the suffix.
Further parts are dropped. Files whose names start with a dot are ignored, too (ROUGE
2.0's program reads them as texts, QUIRKS 55).
"""

import os
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from functools import partial
from itertools import chain, count, islice, pairwise
from typing import NamedTuple

from rouge_cli.core import EvalTask, Notice, Notify
from rouge_cli.errors import (
    ListedError,
    RougeError,
    UnreadableFile,
    all_of,
    escape,
    raise_all,
    shown,
)
from rouge_cli.io import files
from rouge_cli.tasks import doubts, name_patterns
from rouge_cli.tasks.file_order import natural
from rouge_cli.tasks.name_patterns import FindKey, PredictionName
from rouge_cli.text.reading import decoded

_SHOWN = 10
_TRIED = 5  # proposals of patterns


_NAMED = 3  # files in a message


class _File(NamedTuple):
    """A file below the folder that a user named."""

    folder: str  # sub-folder, or empty
    name: str
    path: str


def read(  # noqa: PLR0913 - each is an option of the user's
    predictions: str,
    references: str,
    input_format: str = "spl",
    *,
    prediction_pattern: str | None = None,
    reference_pattern: str | None = None,
    notify: Notify,
    encoding: str = files.UTF8,
) -> Sequence[EvalTask]:
    """Return the evals in the natural order of their keys; the keys are the IDs.

    Plain UTF-8 files become paths. Compressed files, stdin and other encodings are read
    here.

    Args:
        predictions: A folder of files, a folder of folders, or a file.
        references: The same. A single file makes a single eval.

    Raises:
        RougeError: If a prediction has no reference, or nothing can be paired.
        UsageError: If a pattern is invalid.
        UnreadableFile: If a file cannot be read.
    """
    read_name = name_patterns.prediction_name_reader(prediction_pattern)
    belongs: FindKey = name_patterns.find_key
    if reference_pattern is not None:
        belongs = name_patterns.key_finder(reference_pattern)
    files.check_stdin([predictions, references])
    sides = ((predictions, "predictions"), (references, "references"))
    listings = (partial(_listing, path, what, notify) for path, what in sides)
    prediction_files, reference_files = all_of(listings)
    if reference_files[0].path == references:
        for before, file in pairwise(prediction_files):
            if before.folder == file.folder:
                what = (
                    "one file of references, but several of predictions"
                    f" ({before.name}, {file.name})"
                )
                paths = [file.path for file in prediction_files]
                remedy = "give a folder of references"
                words = line_options("--pred", paths, references)
                if words:
                    words += f" --ref {shlex.quote(references)}"
                    remedy = f"if each line is a text, name the files: {words}"
                raise RougeError(what, where=files.place(references), remedy=remedy)
        key = files.stem(files.place(prediction_files[0].name))
        name = files.stem(files.place(reference_files[0].name))
        own_name = PredictionName(key, "")
        by_key = _by_key(prediction_files, predictions, lambda _: own_name, notify)
        named = {key: [(name, reference_files[0])]}
    else:
        by_key = _by_key(prediction_files, predictions, read_name, notify)
        try:
            paired = _pair(by_key, reference_files, belongs, notify)
        except ListedError:
            is_alone = prediction_files[0].path == predictions
            paths = [file.path for file in reference_files]
            words = line_options("--ref", paths, predictions) if is_alone else ""
            if not words:
                raise
            words = f"--pred {shlex.quote(predictions)} {words}"
            raise RougeError(
                "one file of predictions, but several of references",
                where=files.place(predictions),
                remedy=f"if each line is a text, name the files: {words}",
            ) from None
        named = _name_references(paired)
    return _tasks(by_key, named, input_format, files.place(predictions), encoding)


def line_options(option: str, paths: Sequence[str], other: str) -> str:
    """Return the words that name files with a text a line, or the first of many; empty
    if they do not have as many lines as the file of the other side, or just one.

    Args:
        option: The option for each file.
        paths: The files.
        other: The file of the other side.
    """
    sizes = set()
    for path in (*paths, other):
        with suppress(OSError, UnicodeError), open(path, "rb") as file:
            sizes.add(sum(1 for _ in file))
    if len(sizes) != 1 or sizes <= {0, 1}:
        return ""
    words = [f"{option} {shlex.quote(path)}" for path in paths[:_NAMED]]
    more = " ..." if len(paths) > _NAMED else ""
    return " ".join(words) + more


def _tasks(
    predictions: Mapping[str, Mapping[str, _File]],
    references: Mapping[str, Sequence[tuple[str, _File]]],
    input_format: str,
    where: str,
    encoding: str,
) -> Sequence[EvalTask]:
    """Return the evals in natural order, given key -> system -> file, and key -> its
    references.
    """
    tasks = []
    for key in sorted(predictions, key=natural):
        by_system = {system: file.path for system, file in predictions[key].items()}
        named = [
            (reference_id, file.path) for reference_id, file in references.get(key, ())
        ]
        tasks.append(EvalTask(key, by_system, named, input_format, where))
    return list(decoded(tasks, encoding))


def _listing(path: str, what: str, notify: Notify) -> list[_File]:
    """Return the files of a folder or of its sub-folders in natural order, or the
    single file.
    """
    if path == files.STDIN or (os.path.exists(path) and not os.path.isdir(path)):
        return [_File("", os.path.basename(path), path)]
    folders, plain = entries(path, what)
    if folders and plain:
        found = f"contains files ({shown(plain)}) and folders ({shown(folders)})"
        remedy = f"put files only, or folders only, into the folder of {what}"
        raise RougeError(found, where=path, remedy=remedy)
    listed = [_File("", name, os.path.join(path, name)) for name in plain]
    for folder in folders:
        inner, names = entries(os.path.join(path, folder), what)
        if inner:
            notify(Notice(f"{path}/{folder}: sub-folders ignored ({shown(inner)})"))
        if not names:
            notify(Notice(f"{path}/{folder}: no file in it"))
        listed += [
            _File(folder, name, os.path.join(path, folder, name)) for name in names
        ]
    if not listed:
        remedy = "files with a leading dot are ignored"
        raise RougeError(f"no file of {what} in it", where=path, remedy=remedy)
    return listed


def entries(path: str, what: str) -> tuple[list[str], list[str]]:
    """Return the names of the folders and of the files in a folder, without hidden
    entries.
    """
    folders: list[str] = []
    names: list[str] = []
    try:
        with os.scandir(path) as entries:
            for entry in entries:
                if entry.name.startswith("."):
                    continue
                if entry.is_dir():
                    folders.append(entry.name)
                else:
                    names.append(entry.name)
    except (OSError, ValueError) as reason:
        raise UnreadableFile(path, reason, role=f"folder of {what}") from None
    return sorted(folders, key=natural), sorted(names, key=natural)


def _by_key(
    prediction_files: Sequence[_File],
    predictions: str,
    read_name: Callable[[str], PredictionName | None],
    notify: Notify,
) -> dict[str, dict[str, _File]]:
    """Return the files by key and system."""
    by_key: dict[str, dict[str, _File]] = {}
    unmatched: list[str] = []
    errors: list[RougeError] = []
    # The system is in the name, or it is the sub-folder, or the user's file or folder.
    is_alone = prediction_files[0].path == predictions
    if is_alone:
        own = files.stem(files.place(predictions))
    else:
        own = os.path.abspath(predictions)
    for file in prediction_files:
        name = read_name(file.name)
        if name is None:
            unmatched.append(file.name)
            continue
        system = name.system or file.folder or os.path.basename(own) or predictions
        other = by_key.setdefault(name.key, {}).setdefault(system, file)
        if other is not file:
            what = f"another prediction of eval {name.key}, after {other.path}"
            # It is the same for all: the first message has it.
            remedy = "" if name.system or errors else name_patterns.SYSTEM_REMEDY
            errors.append(RougeError(what, where=file.path, remedy=remedy))
    raise_all(errors)
    if not by_key:
        what = f"no name matches --pred-pattern ({shown(unmatched)})"
        raise RougeError(
            what,
            where=files.place(predictions),
            remedy="the pattern must match whole names",
        )
    if unmatched:
        notify(
            Notice(
                f"{predictions}: ignored, since --pred-pattern does not match:"
                f" {shown(unmatched)}"
            )
        )
    return by_key


def _pair(
    by_key: Mapping[str, Mapping[str, _File]],
    references: Iterable[_File],
    belongs: FindKey,
    notify: Notify,
) -> dict[str, list[_File]]:
    """Return the references by key; raise RougeError, with the nearest names, if a
    key has none.
    """
    paired: dict[str, list[_File]] = {key: [] for key in by_key}
    left: list[_File] = []
    errors: list[RougeError] = []
    for reference in references:
        try:
            key = belongs(reference.name, by_key)
        except RougeError as error:
            errors.append(
                RougeError(error.what, where=reference.path, remedy=error.remedy)
            )
            continue
        if key is None:
            left.append(reference)
        else:
            paired[key].append(reference)
    raise_all(errors)
    alone = []
    for key in sorted(by_key, key=natural):
        if not paired[key]:
            alone.append(next(iter(by_key[key].values())))
    if alone:
        used = list(chain.from_iterable(paired.values()))
        lines = _list_unpaired(alone, [*left, *used], "prediction", "reference")
        if not used:
            lines += _list_unpaired(left, alone, "reference", "prediction")
        keys = [files.stem(reference.name) for reference in (*left, *used)]
        shift = doubts.shift(by_key, keys)
        if shift:
            lines += f"  {escape(shift)}\n"
        lines += escape(_remedy(by_key, len(alone), [*left, *used]))
        raise ListedError(f"cannot pair predictions with references\n{lines}")
    if left:
        notify(
            Notice(
                "references without a prediction:"
                f" {shown([file.path for file in left])}"
            )
        )
        if _are_shifted(by_key, paired, left):
            notify(Notice(f"{left[0].path}: {doubts.SHIFTED}"))
    return paired


def _are_shifted(
    by_key: Mapping[str, Mapping[str, _File]],
    paired: Mapping[str, Sequence[_File]],
    left: Sequence[_File],
) -> bool:
    """Return True if references are left over at one end, and the predictions fit the
    references of their neighbours on this side better than their own.
    """
    keys = sorted(by_key, key=natural)
    ends = sorted((files.stem(file.name) for file in left), key=natural)
    predictions = [next(iter(by_key[key].values())).path for key in keys]
    references = [paired[key][0].path for key in keys]
    if natural(ends[0]) > natural(keys[-1]):
        neighbours = [*references[1:], left[0].path]
    elif natural(ends[-1]) < natural(keys[0]):
        neighbours = [left[-1].path, *references[:-1]]
    else:
        return False
    return doubts.fit_better(predictions, references, neighbours)


def _list_unpaired(
    alone: Sequence[_File], candidates: Sequence[_File], what: str, other: str
) -> str:
    """List up to ten unpaired files, with the nearest names of candidates."""
    names = list(dict.fromkeys(file.name for file in candidates))
    lines = ""
    for file in alone[:_SHOWN]:
        near = shown(get_close_matches(file.name, names, n=2, cutoff=0.3))
        hint = f"nearest: {near}" if near else f"no {other} has a name like it"
        lines += f"  {what} without a {other}: {escape(file.path)} ({hint})\n"
    if len(alone) > _SHOWN:
        lines += f"  ... and {len(alone) - _SHOWN} more\n"
    return lines


def _name_references(
    paired: Mapping[str, Sequence[_File]],
) -> dict[str, list[tuple[str, _File]]]:
    """Name the references by sub-folder and rest of the file name.

    A name means the same person in every eval. So the rest includes a suffix that alone
    tells references apart (`d1.A`, `d1.B`), and of its parts between dots only those
    that differ within a folder of an eval (`B` of `D0801.M.100.A.B`, with other letters
    than A in other evals). References whose rests are equal have numbers.
    """
    rests = _rests(paired, with_suffix=False)
    if not _are_different(paired, rests):
        rests = _rests(paired, with_suffix=True)
    rests = _drop_common_parts(paired, rests)
    named = {}
    for key, files_of_key in paired.items():
        ids = []
        for file, rest in zip(files_of_key, rests[key], strict=True):
            ids.append(".".join(filter(None, (file.folder, rest))))
        named[key] = list(zip(_number_nameless(ids), files_of_key, strict=True))
    return named


def _rests(
    paired: Mapping[str, Sequence[_File]], *, with_suffix: bool
) -> dict[str, list[str]]:
    """Return what remains of the references' names without their keys."""
    rests: dict[str, list[str]] = {}
    for key, files_of_key in paired.items():
        rests[key] = []
        for file in files_of_key:
            stem, name = files.stem(file.name), files.uncompressed(file.name)
            is_in_suffix = key in name and key not in stem
            if with_suffix or is_in_suffix:
                stem = name.removesuffix(".txt")
            rests[key].append(name_patterns.remainder(stem, key))
    return rests


def _are_different(
    paired: Mapping[str, Sequence[_File]], rests: Mapping[str, Sequence[str]]
) -> bool:
    """Return True if in every eval the references of a folder have different rests."""
    for key, files_of_key in paired.items():
        folders = [file.folder for file in files_of_key]
        names = set(zip(folders, rests[key], strict=True))
        if len(names) < len(files_of_key):
            return False
    return True


def _drop_common_parts(
    paired: Mapping[str, Sequence[_File]], rests: Mapping[str, Sequence[str]]
) -> dict[str, list[str]]:
    """Return the rests without the parts that never tell references of a folder apart.

    If the numbers of parts differ, or no eval has two references, nothing is dropped.
    """
    parts: dict[str, list[list[str]]] = {}
    widths: set[int] = set()
    for key, of_key in rests.items():
        parts[key] = [rest.split(".") for rest in of_key]
        widths.update(map(len, parts[key]))
    most = max(map(len, parts.values()))
    if len(widths) != 1 or most < 2:
        return {key: list(of_key) for key, of_key in rests.items()}
    of_folder: dict[tuple[str, str], list[list[str]]] = {}
    for key, files_of_key in paired.items():
        for file, row in zip(files_of_key, parts[key], strict=True):
            of_folder.setdefault((key, file.folder), []).append(row)
    differing = []
    for column in range(widths.pop()):
        if any(name_patterns.differ(rows, column) for rows in of_folder.values()):
            differing.append(column)
    kept: dict[str, list[str]] = {}
    for key, rows in parts.items():
        kept[key] = []
        for row in rows:
            kept[key].append(".".join(row[column] for column in differing))
    return kept


def _number_nameless(ids: Sequence[str]) -> list[str]:
    """Return the IDs with numbers for empty ones, or numbers only if two are equal."""
    if len(set(ids)) < len(ids):
        return [str(number) for number in range(1, len(ids) + 1)]
    numbers = (str(number) for number in count(1))
    unused = (number for number in numbers if number not in ids)
    return [own_id or next(unused) for own_id in ids]


def _remedy(
    by_key: Mapping[str, Mapping[str, _File]],
    unpaired: int,
    references: Sequence[_File],
) -> str:
    """Return the remedy for evals without references, with patterns that pair all.

    If most evals have references, the names follow a rule, and only some are wrong.
    """
    if unpaired <= len(by_key) / 2:
        return name_patterns.REMEDY
    predictions: list[_File] = []
    for of_key in by_key.values():
        predictions.extend(of_key.values())
    places = [(file.folder, file.name) for file in predictions]
    names = [file.name for file in references]
    proposals = name_patterns.propose(places, names)
    for patterns in islice(proposals, _TRIED):
        if _do_pair(*patterns, predictions, references):
            prediction, reference = map(shlex.quote, patterns)
            return (
                "use matching names, or give these patterns, which pair them:"
                f" --pred-pattern {prediction} --ref-pattern {reference}"
            )
    return name_patterns.REMEDY


def _do_pair(
    prediction_pattern: str,
    reference_pattern: str,
    predictions: Iterable[_File],
    references: Iterable[_File],
) -> bool:
    """Return True if each prediction has an eval and a system of its own, and each eval
    has a reference.
    """
    read_name = name_patterns.prediction_name_reader(prediction_pattern)
    belongs = name_patterns.key_finder(reference_pattern)
    keys: set[str] = set()
    places: set[tuple[str, str]] = set()
    for file in predictions:
        name = read_name(file.name)
        if name is None:
            return False
        place = name.key, name.system or file.folder
        if place in places:
            return False
        places.add(place)
        keys.add(name.key)
    return keys <= {belongs(reference.name, keys) for reference in references}


REFERENCE, SYSTEM = "reference", "system"


def read_project(
    folder: str,
    notify: Notify,
    *,
    encoding: str = files.UTF8,
    without_references: bool = False,
) -> Sequence[EvalTask]:
    """Return the tasks of a project that have systems, in natural order.

    Task IDs are in capitals, as ROUGE 2.0 prints them. A system's ID is its name. If
    two systems of a task have the same name, the second system's ID is its file name
    (`system_name` returns the name of both).

    Args:
        without_references: Allow tasks without references.

    Raises:
        UnreadableFile: If one of the two folders is missing.
        RougeError: If a name has no `_`, or a task has no references.
    """
    references, systems = all_of(
        partial(_by_task, os.path.join(folder, side), side, notify)
        for side in (REFERENCE, SYSTEM)
    )
    alone = [task for task in systems if task not in references]
    if alone and not without_references:
        what = f"no reference of task {shown(sorted(alone, key=natural))}"
        remedy = "a reference's name begins with the task's, as in TASK_NAME.txt"
        raise RougeError(what, where=os.path.join(folder, REFERENCE), remedy=remedy)
    named = {task: list(texts.items()) for task, texts in references.items()}
    return _tasks(systems, named, "plain", folder, encoding)


def system_name(system: str) -> str:
    """Return the name that ROUGE 2.0 prints for a system."""
    parts = system.split("_")
    return parts[1] if len(parts) > 1 else system


def _by_task(folder: str, side: str, notify: Notify) -> dict[str, dict[str, _File]]:
    """Return the files by ID by task; tasks are in capitals, as ROUGE 2.0 prints
    them.
    """
    folders, names = entries(folder, f"{side} texts")
    if folders:
        notify(Notice(f"{folder}: sub-folders ignored ({shown(folders)})"))
    errors = [
        RougeError(
            "no _ in the name",
            where=os.path.join(folder, name),
            remedy="call it TASK_NAME.txt",
        )
        for name in names
        if "_" not in name
    ]
    raise_all(errors)
    if not names:
        raise RougeError(
            "no file in it", where=folder, remedy="files with a leading dot are ignored"
        )
    by_task: dict[str, dict[str, _File]] = {}
    for name in names:
        texts = by_task.setdefault(name.partition("_")[0].upper(), {})
        text_id = system_name(name)
        texts[name if text_id in texts else text_id] = _File(
            "", name, os.path.join(folder, name)
        )
    return by_task
