"""Options of commands as fields of frozen records: a field declares the option, and contains its value.

    class InputOptions(OptionGroup):
        encoding: str = option("--encoding NAME", "Encoding of texts (default UTF-8).", default="utf-8")

A command is a function of such records, `@takes(InputOptions, ReportOptions)`.
"""

from __future__ import annotations

import re
from enum import Enum
from functools import wraps
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, NoReturn, TypeVar, cast

import click
from click.core import ParameterSource

from rouge_cli import dialects, plugins
from rouge_cli.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from click.shell_completion import CompletionItem

    Complete = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


F = TypeVar("F", bound="Callable[..., None]")
G = TypeVar("G", bound="OptionGroup")


class Conflict(Enum):
    """A circumstance in which options have no effect: the end of the error message, and its remedy.

    A group declares its `conflicts`: circumstance -> its fields without an effect, separated by blanks.
    """

    RECORDS = "with jsonl, json, csv, tsv or parquet, whose texts are in columns"
    PARQUET = "with parquet, whose texts are UTF-8"
    SETTINGS = "with settings XML, which names files and their format"
    FILE_LIST = "with a file list, which names files"
    FOLDERS = "with folders"
    ONE_FILE_OF_REFERENCES = "with one file of references, which is one eval"
    LINES = "with files that have a text a line"
    SAVED = "with saved scores, which are not scored again", "leave it out, or name the texts"
    SCORE_ONLY = "with --score-only, which prints one bare average"
    CLASSIC = "with the classic report, which has its own order and digits"
    UNROUNDED = "with a format that does not round"
    EVALS_ALONE = "with --per-eval in this format, which leaves averages out", "use --format json"
    EVALS_RESAMPLED = (
        "with --per-eval in this format, which leaves averages out",
        "use --format json, or --samples 0",
    )
    NO_SAMPLES = "without resampling", "leave it out, or add --samples 1000"
    STDOUT = "with a report on stdout", "name its file with -o"
    COUNTS = "with --counts, which writes no report", "give it to merge"
    ALL_METRICS = "with a format that has all metrics", "leave it out, or use text or latex"
    SCHEDULER = "with --scheduler, which has workers of its own"
    EVERYTHING_SHOWN = "with a format that always holds everything"
    NOT_FOR_PAPERS = "with a format that is not a paper's table", "use --format latex or markdown"
    NO_INTERVALS = "without intervals", "leave it out, or add --intervals"
    PEOPLE_NOT_MARKED = "in a table or csv, where people are not marked", "use --format json or --plot"
    BASELINE = "with --baseline, which leaves pairs out", "give one"
    FIGURES_NAMED = "with figures that -m names already"
    NO_HUMAN_SCORES = "without --human FILE"
    NO_BOOTSTRAP = "with --samples 0"
    BETWEEN_DIALECTS = "with --dialects, which prints default scores as a table"
    ONE_PAIR = "with the texts of one pair", "leave it out, or name an eval of an input by --eval"
    CHECK = "with --check, which reads settings and writes none"
    CHECK_OF_ALL_SYSTEMS = (
        "with --check, which reads settings and writes none",
        "leave it out, or name a system with --system, whose part is written",
    )
    NO_CHECK = "without --check FILE"
    NO_DEPFILE = "without --depfile FILE"
    NO_ALIGNMENTS = "with a format that has no alignments", "use text or json"
    TAGGED = "with --tagged texts, which need no tagger"
    UNTAGGED = "without topics or synonyms of WordNet, which alone need tags"
    COMPATIBLE = "with --compatible, which expands as the Java program does"
    NO_SYNONYMS = "without synonyms", "add --synonyms wordnet"
    NO_WORDNET = "without WordNet, whose words alone are counted"

    def __init__(self, why: str, remedy: str = "leave it out") -> None:
        self.why = why
        self.remedy = remedy


def check_conflicts(circumstances: Mapping[Conflict, object]) -> None:
    """Raise UsageError for the first typed option without effect in a circumstance whose value is true."""
    context = click.get_current_context()
    groups: Sequence[type[OptionGroup]] = getattr(context.command.callback, "groups", ())
    options = {param.name: param.opts[-1] for param in context.command.params}
    for conflict in (conflict for conflict, present in circumstances.items() if present):
        for name in (name for group in groups for name in group.without_effect(conflict)):
            if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
                raise UsageError(f"{options[name]} {conflict.why}", remedy=conflict.remedy)


class Field(NamedTuple):
    """An option or, without names, an argument; settings are those of click."""

    names: list[str]
    settings: dict[str, Any]
    default: object = None
    of_dialect: bool = False


class OptionGroup:
    """A frozen record; its fields are those of its class and of the classes before it."""

    # Not a data class: making those of one command takes a tenth of a short run.
    fields: ClassVar[dict[str, Field]] = {}
    conflicts: ClassVar[Mapping[Conflict, str]] = {}

    def __init_subclass__(cls) -> None:
        own = {name: value for name, value in vars(cls).items() if isinstance(value, Field)}
        cls.fields = {**cls.fields, **own}

    def __init__(self, **options: object) -> None:
        if unknown := options.keys() - self.fields:
            raise TypeError(f"{type(self).__name__} has no {', '.join(unknown)}")
        vars(self).update({name: field.default for name, field in self.fields.items()}, **options)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"cannot set {name}: options are frozen")

    @classmethod
    def without_effect(cls, conflict: Conflict) -> Iterator[str]:
        """Yield the fields that have no effect in a circumstance."""
        for base in cls.__mro__:
            yield from vars(base).get("conflicts", {}).get(conflict, "").split()

    def replace(self: G, **options: object) -> G:  # noqa: PYI019 - Self is not in Python 3.10
        """Return a copy with other values of these options."""
        return type(self)(**{**vars(self), **options})


def option(
    declaration: str,
    text: str | None = None,
    *,
    default: object = None,
    of_dialect: bool = False,
    **settings: object,
) -> Any:  # noqa: ANN401 - the type of the field
    """Declare a field for an option with a value.

    Args:
        declaration: Its names, and the value in help texts, as in `-o --output FILE`.
        text: Its help text.
        of_dialect: True if the option's value is passed to the dialect, under the field's name.
        settings: Further arguments of `click.option`.
    """
    if not settings.get("required"):  # click counts a default, None too, as a value
        settings = {"default": default, **settings}
    return _field(declaration, text, default, settings, of_dialect=of_dialect)


def flag(declaration: str, text: str, *, of_dialect: bool = False) -> Any:  # noqa: ANN401 - as above
    """Declare a field for an option without a value: True if it is given."""
    return _field(declaration, text, False, {"is_flag": True}, of_dialect=of_dialect)  # noqa: FBT003


def several(declaration: str, text: str, **settings: object) -> Any:  # noqa: ANN401 - as above
    """Declare a field for an option that may be repeated: a tuple of its values."""
    return _field(declaration, text, (), {"multiple": True, **settings})


def _field(
    declaration: str,
    text: str | None,
    default: object,
    settings: dict[str, object],
    *,
    of_dialect: bool = False,
) -> Field:
    words = declaration.split()
    names = [word for word in words if word.startswith("-")]
    settings = {"metavar": " ".join(words[len(names) :]) or None, "help": text, **settings}
    return Field(names, settings, default, of_dialect)


def argument(**settings: object) -> Any:  # noqa: ANN401 - as above
    """Declare a field for an argument; settings: further arguments of `click.argument`."""
    return Field([], settings)


def takes(*groups: type[OptionGroup]) -> Callable[[F], F]:
    """Add the options that the groups declare to a command, in their order, and pass it the groups."""

    def decorate(command: F) -> F:
        @wraps(command)
        def run(*arguments: object, **parameters: object) -> None:
            records = [group(**{name: parameters.pop(name) for name in group.fields}) for group in groups]
            command(*arguments, *records, **parameters)

        run.groups = groups  # type: ignore[attr-defined]
        declared: Callable[..., None] = run
        for name, field in reversed([item for group in groups for item in group.fields.items()]):
            settings = field.settings
            if complete := completion(field.names, settings.get("metavar") or name.upper()):
                settings = {"shell_complete": complete, **settings}
            declare = click.option if field.names else click.argument
            declared = declare(*field.names, name, **settings)(declared)
        return cast("F", declared)

    return decorate


def of_dialect(group: OptionGroup) -> Iterator[tuple[str, object]]:
    """Yield the options for the dialect that were typed."""
    for name, field in group.fields.items():
        value = getattr(group, name)
        if field.of_dialect and value is not None and value is not False:
            yield name, value


def is_given(group: OptionGroup, name: str) -> bool:
    """Return True if the group has an option of that name whose value is not the default."""
    return name in group.fields and getattr(group, name) != group.fields[name].default


def starting(names: Iterable[str], incomplete: str) -> list[CompletionItem]:
    """Return the names that begin so; `snowball:LANGUAGE` ends before what the user has to fill in."""
    from click.shell_completion import CompletionItem

    ready = dict.fromkeys(re.sub(":[A-Z]+$", ":", name) for name in names)
    return [CompletionItem(name) for name in ready if name.startswith(incomplete)]


def _labels(context: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the metrics of the dialect that the command line names; behind a comma, another one."""
    from rouge_cli.cli.commands.list import all_entries

    dialect = context.params.get("dialect") or dialects.DEFAULT
    before, comma, last = incomplete.rpartition(",")
    labels = (
        entry.name for entry in all_entries() if entry.kind == "metric" and has_label(dialect, entry.name)
    )
    items = starting(labels, last)
    for item in items:
        item.value = f"{before}{comma}{item.value}"
    return items


def has_label(dialect: str, label: str) -> bool:
    """Return True if it is a label of the dialect."""
    try:
        dialects.named(dialect).parse(label)
    except UsageError:
        return False
    return True


def _modules(package: str) -> Complete:
    """Complete with the modules of a folder."""
    return lambda _context, _parameter, incomplete: starting(plugins.all_names(package), incomplete)


def _names(name: str) -> Complete:
    """Complete with the NAMES of a module of `text`, which is imported for it only."""
    return lambda _context, _parameter, incomplete: starting(
        plugins.module("rouge_cli.text", name).NAMES, incomplete
    )


def paths(_: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Leave it to the shell, which completes files and folders."""
    shown = parameter.metavar or parameter.human_readable_name
    is_folder = "FILE" not in shown and ("DIR" in shown or "FOLDER" in shown)
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="dir" if is_folder else "file")]


_VALUES: dict[str, Complete] = {
    "--dialect": _modules("rouge_cli.dialects"),
    "--input": _modules("rouge_cli.tasks.kinds"),
    "--metric": _labels,
    "--read-as": _modules("rouge_cli.formats"),
    "--sentences": _names("sentences"),
    "--stemmer": _names("stemmers"),
    "--tokenizer": _names("tokenizers"),
}
_FILES = ("FILE", "DIR", "FOLDER", "INPUT", "SCORES", "HUMAN", "PART", "PRED", "REF")


def completion(names: Iterable[str], metavar: str) -> Complete | None:
    """Return the function that completes a parameter with these names and this `metavar`, if any."""
    for name in names:
        if name in _VALUES:
            return _VALUES[name]
    return paths if any(word in metavar for word in _FILES) else None
