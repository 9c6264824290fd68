from array import array
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from rouge_cli.core import Document, EvalTask
from rouge_cli.dialects.rouge2.preparation import Form
from rouge_cli.jobs.texts import FlatTexts
from rouge_cli.native.kernels import KernelSpec, Way
from rouge_cli.native.setups import KernelSetup, ReadingRules
from rouge_cli.text.tagging import Rule
from rouge_cli.text.tokens import Normalizer

_S = TypeVar("_S")

_Lines: TypeAlias = Sequence[Sequence[Form]]
_Array: TypeAlias = NDArray[np.float64]
# Dates, and the frequencies of the words of each in each timeline that has it.
_Days: TypeAlias = tuple[Sequence[date], Sequence[Sequence[Mapping[str, int]]]]

ROW: tuple[str, ...]

class Program:
    def __init__(self, setup: KernelSetup, most_forms: int) -> None: ...
    def use_threads(self, number: int) -> int: ...
    @property
    def forms(self) -> int: ...
    def score(
        self, tasks: Sequence[EvalTask], systems: Sequence[str] | None
    ) -> tuple[list[list[bytes] | None], dict[int, tuple[int, str | Document]]]: ...
    def score_plain(
        self, texts: PlainTexts
    ) -> tuple[list[bytes], list[int], dict[int, tuple[int, int]]]: ...
    def tally(self) -> tuple[dict[str, int], dict[str, int]]: ...

class Pairs(Generic[_S]):
    def __init__(
        self,
        reading: ReadingRules,
        normalize: Normalizer | None,
        most_forms: int,
        names: Sequence[str],
        specs: Sequence[KernelSpec],
        score_class: type[_S],
        unmatched: Callable[[str, float, float], _S],
    ) -> None: ...
    def forms(self) -> int: ...
    def score(self, target: str, prediction: str) -> dict[str, _S]: ...
    def score_batch(
        self, targets: list[Any], predictions: list[Any]
    ) -> list[dict[str, _S]] | None: ...

class Similar:
    def __init__(
        self,
        spec: KernelSpec,
        way: Way | None,
        alpha: float,
        figure: int,
        threshold: float,
        texts: FlatTexts,
        others: FlatTexts | None,
        in_order: bool,
    ) -> None: ...
    def find(
        self, start: int, end: int, threads: int
    ) -> list[tuple[int, int, float]]: ...
    def keep(self, start: int, end: int) -> list[int]: ...

class Draws:
    def __init__(self, generator: np.random.Generator) -> None: ...
    def add(
        self, scores: _Array, sums: _Array, numbers: NDArray[np.uint16], chances: _Array
    ) -> None: ...
    def complete(self, scores: _Array, sums: _Array) -> None: ...

def correlate_pooled(
    coefficient: str,
    x: _Array,
    y: _Array,
    systems: _Array,
    evals: _Array,
    found: _Array,
) -> None: ...
def correlate_within_evals(
    coefficient: str,
    x: _Array,
    y: _Array,
    systems: _Array,
    evals: _Array,
    found: _Array,
) -> None: ...
def stem(word: bytes) -> bytes: ...
def stem_as_nltk(word: str) -> str: ...
def count(
    references: Sequence[tuple[Sequence[int], Sequence[Sequence[int]]]],
    predictions: Sequence[tuple[Sequence[int], Sequence[Sequence[int]]]],
    specs: Sequence[KernelSpec],
) -> list[tuple[float, float, float]]: ...

class Tagger:
    def __init__(
        self,
        rules: Sequence[Rule],
        likeliest: Callable[[str], str],
        shares: Callable[[str], Mapping[str, float]],
        around: int,
    ) -> None: ...
    def tag(self, words: list[str]) -> list[str]: ...

class WordNetPart:
    def __init__(
        self, synsets: bytes, exceptions: bytes, endings: Sequence[Sequence[bytes]]
    ) -> None: ...
    def bases(self, word: bytes) -> list[bytes]: ...
    def near(self, word: bytes, least: int) -> list[bytes]: ...
    def by_program(self, word: bytes, part: str) -> list[bytes]: ...
    def count(self, word: bytes) -> int: ...
    def is_name(self, word: bytes) -> bool: ...

class Synonyms:
    def __init__(
        self, of: Mapping[Form, Collection[str]], expand: str, most_forms: int
    ) -> None: ...
    def count(self, reference: _Lines, prediction: _Lines) -> tuple[int, int, int]: ...

def plain_settings(
    data: bytes, path: str, formats: Collection[str], eval_task: type[EvalTask]
) -> list[EvalTask] | None: ...

class PlainTexts:
    def __len__(self) -> int: ...
    def lines(self) -> list[int]: ...
    def line(self, place: int) -> int: ...
    def ids(self) -> list[str]: ...
    def numbers_of_references(self) -> set[int]: ...
    def system(self, place: int) -> int: ...
    def systems(self) -> list[int]: ...
    def origins(self, place: int) -> list[tuple[int, int]]: ...
    @property
    def have_ids(self) -> bool: ...
    def row(self, place: int) -> list[bytes]: ...
    def part(self, start: int, end: int) -> PlainTexts: ...
    def beside(self, others: list[PlainTexts], number: int) -> PlainTexts: ...
    def add(
        self, ids: list[str] | None, predictions: list[list[Any]], references: list[Any]
    ) -> bool: ...

def plain_texts(
    lines: Sequence[int],
    have_ids: bool,
    predictions: int,
    rows: Sequence[Sequence[bytes]],
    origins: Sequence[tuple[int, int]] = (),
) -> PlainTexts: ...

class EvalWriter:
    def __init__(self, scale: float) -> None: ...
    def add(
        self, names: bytes, rows: array[float], width: int, start: int, scored: bool
    ) -> None: ...
    def lines(self, heads: list[bytes], place: int) -> str: ...

class RecordGroups:
    def __init__(self, *, have_ids: bool, apart: bool) -> None: ...
    def __len__(self) -> int: ...
    def start_file(self) -> None: ...
    def add(
        self, texts: PlainTexts, files: Sequence[int], systems: Sequence[int]
    ) -> bool: ...
    def copy(self, start: int, most: int) -> tuple[PlainTexts, list[int]]: ...

class PlainRecords:
    def __init__(
        self,
        prediction: str,
        reference: str,
        eval_id: str,
        system: str = "",
        *,
        reads_lists: bool,
    ) -> None: ...
    def systems(self) -> list[str]: ...
    def read(
        self, block: bytes, start: int, number: int
    ) -> tuple[PlainTexts, int, int]: ...

class PlainColumns:
    def __init__(self) -> None: ...
    def systems(self) -> list[str]: ...
    def read(
        self,
        prediction: object,
        references: Sequence[object],
        eval_id: object,
        system: object,
        row: int,
        number: int,
    ) -> tuple[PlainTexts, int]: ...

class PlainTable:
    def __init__(
        self,
        delimiter: str,
        columns: int,
        prediction: int,
        references: Sequence[int],
        eval_id: int,
        system: int | None = None,
    ) -> None: ...
    def systems(self) -> list[str]: ...
    @property
    def has_names(self) -> bool: ...
    @property
    def is_incomplete(self) -> bool: ...
    def read(
        self, block: bytes, start: int, number: int
    ) -> tuple[PlainTexts, int, int]: ...

def plain_lines(
    blocks: Sequence[bytes], number: int, predictions: int
) -> tuple[PlainTexts, list[int]]: ...
def align_days(
    predicted: _Days,
    references: _Days,
    times: int,
    *,
    many: bool,
) -> list[list[tuple[int, int, float]]]: ...
def one_to_one(costs: Sequence[Sequence[float]]) -> list[tuple[int, int]]: ...
def records(
    rows: array[float], width: int, fields: Mapping[str, int]
) -> list[dict[str, float]]: ...
def resampled_means(
    rows: Sequence[float], width: int, samples: int, key: bytes, place: int
) -> tuple[list[float], bytes, int]: ...
def resampled_sums(
    columns: Sequence[Sequence[float]], times: int, first: int, jobs: int
) -> list[list[float]]: ...
def poisson_keys(ids: list[str], seed: int) -> array[int]: ...
def add_draws(
    sums: array[int],
    keys: array[int],
    columns: Sequence[array[float]],
    units: float,
    limits: array[int],
) -> bool: ...
def estimates(
    columns: Sequence[Sequence[float]],
    times: int,
    samples: float,
    confidence: float,
    first: int,
    jobs: int,
) -> list[tuple[float, float, float]]: ...

_Pairs: TypeAlias = Pairs[_S]

# Stands for this module, which no annotation can name.
class Extension:
    Program: type[Program]
    Pairs: type[_Pairs[Any]]
    Draws: type[Draws]
    Similar: type[Similar]
    Tagger: type[Tagger]
    WordNetPart: type[WordNetPart]
    Synonyms: type[Synonyms]
    PlainRecords: type[PlainRecords]
    EvalWriter: type[EvalWriter]
    PlainColumns: type[PlainColumns]
    PlainTable: type[PlainTable]
    RecordGroups: type[RecordGroups]
    correlate_pooled = staticmethod(correlate_pooled)
    correlate_within_evals = staticmethod(correlate_within_evals)
    stem = staticmethod(stem)
    stem_as_nltk = staticmethod(stem_as_nltk)
    count = staticmethod(count)
    plain_settings = staticmethod(plain_settings)
    plain_texts = staticmethod(plain_texts)
    plain_lines = staticmethod(plain_lines)
    align_days = staticmethod(align_days)
    one_to_one = staticmethod(one_to_one)
    records = staticmethod(records)
    add_draws = staticmethod(add_draws)
    poisson_keys = staticmethod(poisson_keys)
    resampled_means = staticmethod(resampled_means)
    resampled_sums = staticmethod(resampled_sums)
    estimates = staticmethod(estimates)
