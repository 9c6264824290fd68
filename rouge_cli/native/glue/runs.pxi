"""Runs: a dialect scores batches of evals in threads, and its rows become dictionaries.

Readable code: `Scorer` in `runs/evaluation.py` with the runs of `dialects/`;
`scoring/columns.py` has the twin of `records`. `native/scorer.py` calls it.
"""


cdef extern from "scoring.hpp" namespace "rouge" nogil:
    const char* row_fields()

    cppclass CRow "rouge::Row":
        pass

    cppclass CScoring "rouge::Scoring":
        pass

    cppclass CRouge155 "rouge::Rouge155Scoring"(CScoring):
        CRouge155(cbool, double, cbool) except +

    cppclass CPlain "rouge::PlainScoring"(CScoring):
        CPlain(int, int, double) except +


cdef extern from "limit.hpp" namespace "rouge" nogil:
    cppclass CLimit "rouge::Limit":
        CLimit(double, cbool) except +


cdef extern from "program.hpp" namespace "rouge" nogil:
    cppclass CSource "rouge::Source":
        CView bytes
        cbool is_path

    cppclass CEvalSources "rouge::EvalSources":
        size_t references
        size_t predictions
        cbool is_see

    cppclass CTally "rouge::TextTally":
        CTally()
        size_t texts, sentences, bytes, cut_up, long_texts, letters, cut, dropped
        void add(const CTally&)

    cppclass CBatch "rouge::Batch":
        vector[CEvalSources] evals
        vector[CSource] sources
        vector[char] scored
        vector[CRow] rows
        CTally tallies[2]
        size_t first_cut[2]
        size_t text_of_cut[2]

    cppclass CProgram "rouge::Program":
        CProgram(
            vector[CSpec], unique_ptr[CScoring], unique_ptr[CLimit], cbool, CVocabulary&, cbool
        ) except +


cdef extern from "parallel.hpp" namespace "rouge" nogil:
    size_t threads_of(const CBatch&, size_t)
    void run_in_threads(const vector[CProgram*]&, CBatch&) except +


ROW = tuple(row_fields().decode().split())


# The numbers of `Several` and `FMeasure` in scoring.hpp.
SEVERAL = "sum", "best", "mean", "highest", "mean shares"
MEASURES = "harmonic", "single", "shares", "weighted", "beta", "even"


cdef class Program:
    """A dialect's program over batches of evals, given its `native.KernelSetup`.

    Its vocabularies, one for each thread, are started anew when they have grown beyond most_forms.
    """

    cdef object setup
    cdef list words  # of each thread, as its program
    cdef vector[unique_ptr[CProgram]] programs
    cdef size_t width, most_forms, most_threads
    cdef CTally tallies[2]

    def __init__(self, setup, size_t most_forms):
        self.setup = setup
        self.width, self.most_forms, self.most_threads = len(setup.specs), most_forms, 1
        self.words = []
        self.start()

    cdef void start(self) except *:
        """Add the program of another thread."""
        cdef unique_ptr[CScoring] scoring
        cdef unique_ptr[CLimit] limited
        cdef unique_ptr[CProgram] program
        cdef cbool stems_references = self.setup.stems_references
        cdef Words others = self.words[0] if self.words else None
        cdef Words words = Words(self.setup.reading, self.setup.normalize, others, stems_references)
        if self.setup.formula:
            several, f, constant = self.setup.formula
            scoring.reset(new CPlain(SEVERAL.index(several), MEASURES.index(f), constant))
        else:
            scoring.reset(
                new CRouge155(self.setup.best_reference, self.setup.alpha, self.setup.is_scored)
            )
        if self.setup.limit and self.setup.limit[0]:
            limited.reset(new CLimit(self.setup.limit[0], self.setup.limit[1]))
        self.words.append(words)
        program = make_unique[CProgram](
            _specs(self.setup.specs),
            move(scoring),
            move(limited),
            <cbool> self.setup.folds,
            dereference(words.vocabulary),
            stems_references,
        )
        self.programs.push_back(move(program))

    cdef void run(self, CBatch& batch) except *:
        """Score the batch, with the GIL released."""
        cdef vector[CProgram*] programs
        cdef size_t place, side, threads = threads_of(batch, self.most_threads)
        if self.forms > self.most_forms:
            self.programs.clear()
            self.words.clear()
        while self.programs.size() < threads:
            self.start()
        for place in range(threads):
            programs.push_back(self.programs[place].get())
        try:
            with nogil:
                run_in_threads(programs, batch)
        except RuntimeError:
            (<Words> self.words[0]).check()
            raise
        for side in range(2):
            self.tallies[side].add(batch.tallies[side])

    def use_threads(self, size_t number):
        """Score batches in up to so many threads, but in one if Python is asked for words;
        return their number.
        """
        cdef Words words
        if not self.words:
            self.start()
        words = self.words[0]
        self.most_threads = number if words.questions == (None,) * QUESTIONS else 1
        return self.most_threads

    @property
    def forms(self):
        """The number of word forms in the vocabularies."""
        return sum(map(len, self.words))

    def score(self, tasks, systems):
        """Score a batch of tasks, with the GIL released.

        Return for each task the rows of the requested predictions, in order, packed as in
        `scoring.columns`; None if the Python program must score the task, since there is
        something to report. And by side (0 predictions, 1 references) the first text that
        the tokenizer cuts up: the index of its task, and its file.
        """
        cdef CBatch batch
        # Names of files, while the batch refers to them
        cdef list added = [], results = [None] * len(tasks), names = []
        cdef const char* first_row
        cdef size_t number, next_row = 0, prediction, side
        for place, task in enumerate(tasks):
            sources = self.add(batch, task, systems, names)
            if sources is not None:
                added.append((place, sources))
        self.run(batch)
        firsts = {}
        for number, (place, sources) in enumerate(added):
            for side in range(2):
                if batch.first_cut[side] == number:
                    firsts[side] = place, sources[batch.text_of_cut[side]]
            if not batch.scored[number]:
                continue
            rows = results[place] = []
            for prediction in range(batch.evals[number].predictions):
                first_row = <const char*> (batch.rows.data() + next_row)
                rows.append(PyBytes_FromStringAndSize(first_row, self.width * sizeof(CRow)))
                next_row += self.width
        return results, firsts

    def score_plain(self, PlainTexts texts not None):
        """Score evals that compiled code has read, with the GIL released.

        Return for each prediction the packed rows of the evals, joined; the indices of the
        evals without rows, which the Python program must score; and by side the first text
        that the tokenizer cuts up: the index of its eval, and of the text.
        """
        cdef CBatch batch
        cdef CEvalSources made
        cdef CSource source
        cdef size_t place, number, side
        cdef size_t size = self.width * sizeof(CRow), predictions = texts.texts.predictions
        cdef bytes data
        made.predictions = predictions
        made.is_see = source.is_path = False
        with nogil:
            for place in range(texts.texts.lines.size()):
                made.references = texts.texts.references(place)
                batch.evals.push_back(made)
                for number in range(made.references):
                    source.bytes = texts.texts.reference(place, number)
                    batch.sources.push_back(source)
                for number in range(predictions):
                    source.bytes = texts.texts.prediction(place, number)
                    batch.sources.push_back(source)
        self.run(batch)
        firsts = {}
        for side in range(2):
            place, number = batch.first_cut[side], batch.text_of_cut[side]
            if place < batch.evals.size():
                firsts[side] = place, number if side else number - batch.evals[place].references
        rows = []
        for number in range(predictions):
            data = PyBytes_FromStringAndSize(NULL, batch.rows.size() // predictions * sizeof(CRow))
            for place in range(batch.rows.size() // predictions // self.width):
                memcpy(
                    PyBytes_AS_STRING(data) + place * size,
                    batch.rows.data() + (place * predictions + number) * self.width,
                    size,
                )
            rows.append(data)
        handed_back = [place for place in range(batch.scored.size()) if not batch.scored[place]]
        return rows, handed_back, firsts

    def tally(self):
        """Return the fields of `text.survey.Numbers` by name, since the last call, by side
        (predictions, references).
        """
        sides = _named(self.tallies[0]), _named(self.tallies[1])
        self.tallies[0], self.tallies[1] = CTally(), CTally()
        return sides

    cdef list add(self, CBatch& batch, task, systems, list names):
        """Add the task's sources to the batch and return them; return None, and add none,
        if it cannot be scored here.
        """
        cdef CEvalSources made
        cdef CSource source
        cdef size_t before = batch.sources.size()
        cdef bytes data
        cdef list sources
        _, predictions, references, input_format, _, _ = task
        made.is_see = input_format == "see"
        if not made.is_see and input_format != "spl" and input_format != "plain":
            return None
        sources = [reference for _, reference in references]
        made.references = len(sources)
        for system in predictions if systems is None else systems:
            prediction = predictions.get(system)
            if prediction:
                sources.append(prediction)
        made.predictions = len(sources) - made.references
        if not made.references or not made.predictions:
            return None
        for path_or_document in sources:
            source.is_path = isinstance(path_or_document, str)
            data = _file_name(path_or_document) if source.is_path else (<tuple> path_or_document)[0]
            if data is None:
                batch.sources.resize(before)
                return None
            names.append(data)
            source.bytes = _view(data)
            batch.sources.push_back(source)
        batch.evals.push_back(made)
        return sources


cdef dict _named(const CTally& tally):
    """Return the fields of `text.survey.Numbers` by name."""
    return {
        "texts": tally.texts,
        "sentences": tally.sentences,
        "bytes": tally.bytes,
        "cut_up": tally.cut_up,
        "long_texts": tally.long_texts,
        "letters": tally.letters,
        "cut": tally.cut,
        "dropped": tally.dropped,
    }


cdef bytes _file_name(path):
    """Return a path in the system's encoding; None if no file can have it."""
    cdef bytes name
    try:
        name = PyUnicode_EncodeFSDefault(path)
    except UnicodeEncodeError:
        return None
    return None if b"\0" in name else name


def records(rows, size_t width, dict fields):
    """Return a mapping from name to figure for each eval, a row of `width` figures; fields:
    name -> place in a row.
    """
    cdef size_t number, field, evals = len(rows) // width
    cdef const double* row = _numbers(rows) if evals else NULL
    cdef list found = [], names = list(fields)
    cdef vector[size_t] places
    cdef dict record
    cdef double since = monotonic()
    for place in fields.values():
        places.push_back(place)
    for number in range(evals):
        if number % TOGETHER == 0:
            since = _give_turn(since)
        record = fields.copy()
        for field in range(places.size()):
            record[names[field]] = row[number * width + places[field]]
        found.append(record)
    return found


cdef extern from "Python.h":
    char* PyOS_double_to_string(double, char, int, int, int*) except NULL
    void PyMem_Free(void*)


cdef extern from "written.hpp" namespace "rouge" nogil:
    cbool append_short(string&, double) except +


cdef int _append_number(string& line, double value) except -1:
    """Append a number as JSON has it in `results.base.number`."""
    cdef char* digits
    if append_short(line, value):
        return 0
    digits = PyOS_double_to_string(value, c"r", 0, 2, NULL)  # 2: with a point
    try:
        line.append(digits)
    finally:
        PyMem_Free(digits)
    return 0


cdef const char* MEASURES_OF_EVAL[3]
MEASURES_OF_EVAL[:] = [b'"recall": ', b'"precision": ', b'"f": ']


cdef class EvalWriter:
    """Writes packed rows of results as lines of JSON.

    scale: what scores are multiplied by.
    """

    cdef double scale
    cdef list names, kept
    cdef vector[const double*] rows
    cdef vector[size_t] widths
    cdef vector[cbool] scored

    def __init__(self, double scale):
        self.scale, self.names, self.kept = scale, [], []

    def add(self, bytes names not None, rows, size_t width, size_t start, bint scored):
        """Add a result: names, what stands between the ID of an eval and its scores; rows of
        `width` numbers, of which its own begin at `start`.
        """
        self.names.append(names)
        self.kept.append(rows)
        self.rows.push_back(_numbers(rows) + start if len(rows) else NULL)
        self.widths.push_back(width)
        self.scored.push_back(scored)

    def lines(self, list heads not None, size_t place):
        """Return the lines of evals from a place on; heads: how the lines of each begin, up to
        the end of its ID.
        """
        cdef string line
        cdef size_t number, field
        cdef const double* row
        for head in heads:
            for number in range(self.rows.size()):
                line.append(b'{"eval": ')
                line.append(_string(head))
                line.append(_string(self.names[number]))
                row = self.rows[number] + place * self.widths[number]
                for field in range(3):
                    line.append(MEASURES_OF_EVAL[field])
                    if self.scored[number]:
                        _append_number(line, row[5 + field] * self.scale)
                    else:
                        line.append(b"null")
                    line.append(b", ")
                line.append(b'"counts": {"reference": ')
                _append_number(line, row[0])
                line.append(b', "prediction": ')
                _append_number(line, row[1])
                line.append(b', "match": ')
                _append_number(line, row[2])
                if row[4] == row[4]:  # not nan
                    line.append(b', "prediction_match": ')
                    _append_number(line, row[4])
                line.append(b"}}\n")
            place += 1
        return PyUnicode_DecodeASCII(line.data(), line.size(), NULL)
