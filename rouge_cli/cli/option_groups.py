"""Options of commands as frozen records: a field of the class declares an option, and
holds its value.

    class InputOptions(OptionGroup):
        encoding: str = option("--encoding NAME", "Encoding of texts.", default="utf-8")

A command is a function of such records, made by `@named("score")`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial, wraps
from inspect import cleandoc, get_annotations
from itertools import chain, takewhile
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, NoReturn, TypeVar

import click
from click.core import ParameterSource

from rouge_cli import dialects, plugins
from rouge_cli.cli.entries import all_entries
from rouge_cli.errors import UsageError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    Complete = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]

G = TypeVar("G", bound="OptionGroup")
Words = tuple[str, ...]  # the values of an option that may be repeated
_NO_AVERAGES = "with --per-eval in this format, which has no averages"


class Conflict:
    """The circumstances in which options have no effect: the end of the error message,
    and its remedy.

    Without `; ` and a remedy, it is to leave the option out. A group of options
    declares its `conflicts`: circumstance -> fields without effect, separated by
    blanks.
    """

    RECORDS = "with records (jsonl, csv, ...), whose texts are in columns"
    PARQUET = "with parquet, whose texts are UTF-8"
    SETTINGS = "with settings XML, which names files and their format"
    FILE_LIST = "with a file list, which names files"
    FOLDERS = "with folders"
    ONE_FILE_OF_REFERENCES = "with one file of references, which is one eval"
    LINES = "with files that have one text per line"
    SAVED = (
        "with saved scores, which are not scored again; leave it out, or name the texts"
    )
    SCORE_ONLY = "with --score-only, which prints one bare average"
    CLASSIC = "with the classic report, which has its own order and digits"
    UNROUNDED = "with a format that does not round"
    EVALS_ALONE = f"{_NO_AVERAGES}; use --format json"
    EVALS_RESAMPLED = f"{_NO_AVERAGES}; use --format json, or --samples 0"
    NO_SAMPLES = "without resampling; leave it out, or add --samples 1000"
    STDIN = "with stdin or a pipe, which cannot be read again; name a file"
    STDOUT = "with a report on stdout; name its file with -o"
    COUNTS = "with --counts, which writes no report; pass it to rouge-cli merge"
    TOTALS = "with totals, which have no single evals; score without --totals"
    NO_CELLS = "without --format csv or tsv, whose cells spreadsheets read"
    NO_EVALS_SHOWN = "without --per-eval, whose rows it sets; add --per-eval"
    LANGUAGE_COLUMN = (
        "with --language-column, which scores each language by its own profile"
    )
    NO_TABLE = (
        "with a format that is no table for people, whose layout is fixed; leave it"
        " out, or use --format text, markdown or latex"
    )
    NO_ROWS = (
        "with a format whose layout is fixed; use --format text, csv, tsv or jsonl"
    )
    JUNIT = "with junit, which only has tests of bounds"
    ALL_METRICS = (
        "with a format that shows all metrics; leave it out, or use text or latex"
    )
    SCHEDULER = "with --scheduler, which has its own workers"
    EVERYTHING_SHOWN = "with a format that shows everything"
    NOT_FOR_PAPERS = (
        "with a format that is not a table for papers; use --format latex or markdown"
    )
    FOR_PAPERS = (
        "with a table for papers, which has no answers; leave it out, or use text or"
        " json"
    )
    NO_INTERVALS = "without intervals; leave it out, or add --intervals"
    PEOPLE_NOT_MARKED = (
        "with a table or csv, which does not mark people; use --format json or --plot"
    )
    NO_BASELINE = (
        "without --baseline SYSTEM; name the system that the others are compared with"
    )
    BASELINE = "with --baseline, which leaves pairs out; give one of them"
    MEASURES_NAMED = "with -m, which names the measures already"
    NO_HUMAN_SCORES = "without --human FILE"
    NO_BOOTSTRAP = "with --samples 0"
    NO_EVALS_DRAWN = "with --over systems, which draws no evals"
    NO_CLUSTER = "without --cluster COLUMN"
    NO_REFERENCES_DRAWN = "without --over references"
    NO_TRIALS = "with --trials 0, which tests nothing"
    BETWEEN_DIALECTS = "with --dialects, which prints default scores as a table"
    ONE_PAIR = (
        "with the texts of one pair; leave it out, or name an eval of an input by"
        " --eval"
    )
    CHECK = "with --check, which reads settings and writes none"
    CHECK_OF_ALL_SYSTEMS = (
        f"{CHECK}; leave it out, or write the part of one system with --system"
    )
    NO_CHECK = "without --check FILE"
    NO_DEPFILE = "without --depfile FILE"
    NO_ALIGNMENTS = "with a format that has no alignments; use text or json"
    TAGGED = "with --tagged texts, which need no tagger"
    UNTAGGED = "without topics or synonyms of WordNet, which alone need tags"
    COMPATIBLE = "with --compatible, which expands as the Java program does"
    NO_SYNONYMS = "without synonyms; add --synonyms wordnet"
    LENGTHS_FOR_PAPERS = (
        "with a table for papers, which has no lengths; leave it out, or add -m"
        " length-ratio"
    )
    NO_TABLE_OF_LENGTHS = "with a format that has no table of lengths; use text or json"
    NO_TEST = "with an accuracy, which is not tested"
    NO_BEAM = "without --method beam"
    NO_PROOF = "without --method exact"
    NO_WORDNET = "without WordNet, which alone has counts"
    PAIRS_OF_TEXTS = "with pairs of texts, which have one reference"
    TWO_SETS = "with --against, since pairs connect no texts of INPUT"
    ONE_SET = "without --against FILE"
    KEPT = "with --keep-first or --groups, which write records, no pairs"

    @classmethod
    def check(
        cls, circumstances: Mapping[str, object], effective: Collection[str] = ()
    ) -> None:
        """Raise UsageError for an option that has no effect in one of the circumstances
        that are true.

        `effective` are fields that have an effect nevertheless, in this command.
        """
        context = click.get_current_context(silent=True)
        if not context:
            return  # called from Python
        groups: Sequence[type[OptionGroup]] = getattr(
            context.command.callback, "groups", ()
        )
        options = {param.name: param.opts[-1] for param in context.command.params}
        present = [conflict for conflict, is_true in circumstances.items() if is_true]
        for conflict in present:
            names = chain.from_iterable(
                group.without_effect(conflict) for group in groups
            )
            for name in names:
                source = context.get_parameter_source(name)
                if source is ParameterSource.COMMANDLINE and name not in effective:
                    why, _, remedy = conflict.partition("; ")
                    raise UsageError(
                        f"{options[name]} {why}", remedy=remedy or "leave it out"
                    )


def check_no_others(effective: Collection[str], why: str) -> None:
    """Raise UsageError for an option or an argument on the command line that is not
    among those which have an effect.
    """
    context = click.get_current_context()
    for param in context.command.params:
        source = context.get_parameter_source(param.name or "")
        is_typed = source is ParameterSource.COMMANDLINE and context.params[param.name]
        if is_typed and param.name not in effective:
            typed = param.opts[-1] if param.opts[-1].startswith("-") else "INPUT"
            raise UsageError(f"{typed} {why}", remedy="leave it out")


class Field(NamedTuple):
    """The declaration of an option or argument."""

    names: list[str]  # empty for an argument
    settings: dict[str, Any]  # click's
    of_dialect: bool = False


class OptionGroup:
    """A frozen record of options; a class inherits the fields of its base classes."""

    # Not a data class: creating the data classes of one command takes a tenth of a
    # short run.
    fields: ClassVar[dict[str, Field]] = {}
    conflicts: ClassVar[Mapping[str, str]] = {}
    section: ClassVar = "Options"  # of the section of help texts

    def __init_subclass__(cls) -> None:
        own = {
            name: value for name, value in vars(cls).items() if isinstance(value, Field)
        }
        cls.fields = {**cls.fields, **own}

    def __init__(self, **options: object) -> None:
        vars(self).update((name, options[name]) for name in self.fields)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"cannot set {name}: options are frozen")

    @classmethod
    def without_effect(cls, conflict: str) -> Iterator[str]:
        """Yield the fields that have no effect in a circumstance."""
        for base in cls.__mro__:
            yield from vars(base).get("conflicts", {}).get(conflict, "").split()

    def replace(self: G, **options: object) -> G:  # noqa: PYI019 - Self is not in Python 3.10
        """Return a copy with these values."""
        unknown = options.keys() - self.fields
        if unknown:
            raise TypeError(f"{type(self).__name__} has no {', '.join(unknown)}")
        return type(self)(**{**vars(self), **options})


def option(
    declaration: str,
    text: str | None = None,
    *,
    default: object = None,
    **settings: object,
) -> Any:  # noqa: ANN401 - the type of the field
    """Declare a field for an option with a value.

    Args:
        declaration: The option's names, and the value in help texts, as in `-o --output
            FILE`.
        text: The help text.
        default: The value if the option is not typed.
        settings: Further arguments of `click.option`.
    """
    words = declaration.split()
    names = [word for word in words if word.startswith("-")]
    if not settings.get("required"):  # click takes any default for a value, even None
        settings["default"] = default
    metavar = " ".join(words[len(names) :]) or None
    return Field(names, {"metavar": metavar, "help": text, **settings})


def of_dialect(declaration: str, text: str, **settings: Any) -> Any:  # noqa: ANN401 - as above
    """Declare a field for an option whose value is passed to the dialect under the
    field's name.
    """
    return option(declaration, text, **settings)._replace(of_dialect=True)


def flag(declaration: str, text: str) -> Any:  # noqa: ANN401 - as above
    """Declare a field for an option without a value: True if the option is typed."""
    return option(declaration, text, default=False, is_flag=True)


def several(declaration: str, text: str, **settings: object) -> Any:  # noqa: ANN401 - as above
    """Declare a field for an option that may be repeated; its value is a tuple."""
    return option(declaration, text, default=(), multiple=True, **settings)


def argument(**settings: object) -> Any:  # noqa: ANN401 - as above
    """Declare a field for an argument, with the settings of `click.argument`."""
    return Field([], settings)


# Fields of which an empty string has a meaning: no column, no title, an empty text.
MAY_BE_EMPTY = {
    "title",
    "prediction_text",
    "reference_texts",
    "id_column",
    "system_column",
    "human_id_column",
    "human_system_column",
}


def takes(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of the groups in its signature, in this order; it
    receives the groups.
    """
    kinds = get_annotations(command, eval_str=True).values()
    groups = [
        kind
        for kind in kinds
        if isinstance(kind, type) and issubclass(kind, OptionGroup)
    ]
    fields: dict[str, Field] = {}
    for group in groups:
        fields |= group.fields

    @wraps(command)
    def run(*arguments: object, **parameters: object) -> None:
        for name, field in fields.items():
            _check_filled(name, field, parameters[name])
        command(*arguments, *(group(**parameters) for group in groups))

    run.groups = groups  # type: ignore[attr-defined]
    declared: Callable[..., None] = run
    for name, field in reversed(fields.items()):
        settings = field.settings
        complete = _completion(name, field)
        if complete:
            settings = {"shell_complete": complete, **settings}
        declare = click.option if field.names else click.argument
        declared = declare(*field.names, name, **settings)(declared)
    return declared


def _check_filled(name: str, field: Field, value: object) -> None:
    """Raise UsageError for an option with an empty value, unless that has a meaning.

    A script with an empty variable would get a default, and so other numbers.
    """
    values = value if isinstance(value, tuple) else (value,)
    if not field.names or "" not in values:
        return
    if name not in MAY_BE_EMPTY and field.settings.get("default") != "":
        raise UsageError(
            f"{field.names[-1]} ''", remedy="give a value, or leave it out"
        )


def _completion(name: str, field: Field) -> Complete | None:
    """Return how the shell completes a value: as the option's name or its metavar
    tells; None if neither does.
    """
    for option_name in field.names:
        if option_name in _VALUES:
            return _VALUES[option_name]
    metavar = field.settings.get("metavar") or name.upper()
    if any(word in metavar for word in _FILES):
        return _paths
    return None


def named(name: str) -> Callable[[Callable[..., None]], click.Command]:
    """Make a function the command of that name, with the options of the groups in
    its signature.
    """

    def decorate(function: Callable[..., None]) -> click.Command:
        # Click's mark keeps the lines of examples.
        text = cleandoc(function.__doc__ or "").replace(
            "\n\nExample", "\n\n\b\nExample"
        )
        return click.command(name, help=text)(takes(function))

    return decorate


def write_help(
    command: click.Command, context: click.Context, formatter: click.HelpFormatter
) -> None:
    """Write the options of a command, in sections by the titles of their groups."""
    if sys.flags.optimize > 1:
        formatter.write_text("Python's option -OO has removed descriptions from this.")
    for title, options in option_sections(command, context).items():
        records = [option.get_help_record(context) for option in options]
        with formatter.section(title):
            formatter.write_dl([record for record in records if record])
    if isinstance(command, click.Group):
        command.format_commands(context, formatter)


def option_sections(
    command: click.Command, context: click.Context
) -> dict[str, list[click.Option]]:
    """Return the options that the help shows, by the titles of their groups."""
    groups: Sequence[type[OptionGroup]] = getattr(command.callback, "groups", ())
    titles: dict[str | None, str] = {}
    for group in groups:
        for base in reversed(group.__mro__):
            for name, field in vars(base).items():
                if isinstance(field, Field):
                    titles[name] = base.section  # type: ignore[attr-defined]
    sections: dict[str, list[click.Option]] = {}
    for param in command.get_params(context):
        if isinstance(param, click.Option) and param.get_help_record(context):
            title = titles.get(param.name, OptionGroup.section)
            sections.setdefault(title, []).append(param)
    return sections


def starting(names: Iterable[str], incomplete: str) -> list[CompletionItem]:
    """Return completions: the names with this beginning, `snowball:LANGUAGE` as
    `snowball:`.
    """
    from click.shell_completion import CompletionItem

    distinct = dict.fromkeys(re.sub(":[A-Z]+$", ":", name) for name in names)
    return [CompletionItem(name) for name in distinct if name.startswith(incomplete)]


def _labels(
    context: click.Context, _: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete with the metrics of the dialect on the command line, also after a
    comma.
    """
    dialect = context.params.get("dialect") or dialects.DEFAULT
    before, comma, last = incomplete.rpartition(",")
    labels = []
    for entry in takewhile(lambda entry: entry.kind == "metric", all_entries()):
        if has_label(dialect, entry.name):
            labels.append(entry.name)
    items = starting(labels, last)
    for item in items:
        item.value = f"{before}{comma}{item.value}"
    return items


def has_label(dialect: str, label: str) -> bool:
    """Return True if the dialect has a metric of that label."""
    try:
        dialects.named(dialect).parse(label)
    except UsageError:
        return False
    return True


def completing(names: Callable[[], Iterable[str]]) -> Complete:
    """Return a completion with the names that a function returns."""
    return lambda _context, _parameter, incomplete: starting(names(), incomplete)


def _paths(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Let the shell complete files or folders."""
    shown = parameter.metavar or parameter.human_readable_name
    is_folder = "FILE" not in shown and ("DIR" in shown or "FOLDER" in shown)
    return click.Path(file_okay=not is_folder).shell_complete(
        context, parameter, incomplete
    )


def _kinds_of_input() -> list[str]:
    return [*plugins.all_names(plugins.KINDS), "lines"]


def _languages() -> Iterable[str]:
    names: Iterable[str] = plugins.module("rouge_cli.text", "languages").profiles()
    return names


def _names_in(module: str) -> Iterable[str]:
    """Return the NAMES of a module about texts, which is imported only to complete."""
    names: Iterable[str] = plugins.module("rouge_cli.text", module).NAMES
    return names


_VALUES: dict[str, Complete] = {
    "--dialect": completing(partial(plugins.all_names, plugins.DIALECTS)),
    "--input": completing(_kinds_of_input),
    "--language": completing(_languages),
    "--metric": _labels,
    "--read-as": completing(partial(plugins.all_names, plugins.FORMATS)),
    "--sentences": completing(partial(_names_in, "sentences")),
    "--stemmer": completing(partial(_names_in, "stemmers")),
    "--tokenizer": completing(partial(_names_in, "tokenizers")),
}
# Values in help texts that are files or folders.
_FILES = ("FILE", "DIR", "FOLDER", "INPUT", "SCORES", "HUMAN", "PART", "PRED", "REF")
