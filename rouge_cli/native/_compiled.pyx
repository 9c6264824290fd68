# distutils: language = c++
# cython: language_level=3, boundscheck=False, wraparound=False
"""The extension module: the Python interface of the headers in this folder. Its types are in `_compiled.pyi`."""

import sys
from array import array
from time import monotonic, sleep

from cpython.buffer cimport PyBUF_C_CONTIGUOUS, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.unicode cimport PyUnicode_DecodeASCII, PyUnicode_GET_LENGTH
from cython.operator cimport dereference
from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy
from libcpp cimport bool as cbool
from libcpp.deque cimport deque as cppdeque
from libcpp.memory cimport make_shared, make_unique, shared_ptr, unique_ptr
from libcpp.string cimport string
from libcpp.unordered_map cimport unordered_map
from libcpp.utility cimport move, pair
from libcpp.vector cimport vector


cdef extern from "Python.h":
    int PY_VERSION_HEX
    bint PyUnicode_IS_ASCII(object)
    void* PyUnicode_DATA(object)
    int PyUnicode_KIND(object)
    bytes PyUnicode_EncodeFSDefault(object)
    void PyObject_GC_UnTrack(void*)
    void PyObject_GC_Track(void*)
    cppclass PyObject:
        pass
    cppclass CType "PyTypeObject":
        object tp_new(type, tuple, PyObject*)
    CType PyTuple_Type


cdef extern from "<string_view>" nogil:
    cppclass CView "std::string_view":
        CView()
        CView(const char*, size_t)
        const char* data()
        size_t size()


cdef extern from "texts.hpp" namespace "rouge" nogil:
    int WEIGHTED_LCS "rouge::WEIGHTED_LCS"

    cppclass CText "rouge::Text":
        vector[int32_t] words
        vector[size_t] ends
        cbool two_readings
        vector[int32_t] first

    cppclass CSpec "rouge::KernelSpec":
        int kind
        int64_t number
        cbool unigrams
        double weight

    cppclass CCounts "rouge::Counts":
        double reference
        double prediction
        double match


cdef extern from "tokenizers.hpp" namespace "rouge" nogil:
    int FORM "rouge::FORM"
    int QUESTIONS "rouge::QUESTIONS"
    ctypedef cbool (*Ask)(void*, int, const char*, size_t, vector[string]&) noexcept

    cppclass CReading "rouge::Reading":
        cbool asks[5]
        cbool is_separable
        cbool by_character
        cbool keeps_ascii
        cbool keeps_letters
        cbool reads_twice
        cbool ascii_only
        string mark


cdef extern from "tokens.hpp" namespace "rouge" nogil:
    cppclass CVocabulary "rouge::Vocabulary":
        void set_ask(Ask, void*)
        void set_reading(CReading)
        size_t parts()


cdef extern from "strings.hpp" namespace "rouge" nogil:
    cppclass CCharacters "rouge::Characters":
        const void* data
        size_t size
        int width
        cbool are_ascii


cdef extern from "counting.hpp" namespace "rouge" nogil:
    cppclass CCounting "rouge::Counting":
        CCounting() except +

    void count_evals(CCounting&, const vector[CText]&, size_t, size_t, const vector[CSpec]&, vector[CCounts]&) except +
    void count_pairs(CCounting&, CVocabulary&, const vector[CCharacters]&, const vector[CSpec]&, vector[CCounts]&) except +


cdef extern from "porter.hpp" namespace "rouge" nogil:
    string porter_stem(CView) except +


cdef extern from "word_forms.hpp" namespace "rouge" nogil:
    cppclass CWordList "rouge::WordList":
        pass

    cppclass COwnWordList "rouge::OwnWordList":
        COwnWordList(string) except +
        CWordList list() const

    cppclass CFormRules "rouge::FormRules":
        CWordList stop_words
        CWordList irregular_forms
        cbool stems
        size_t shortest
        cbool stems_references

    cppclass CWordForms "rouge::WordForms":
        CWordForms(const CFormRules&, CVocabulary&) except +
        size_t size()


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


cdef extern from "exact.hpp" namespace "rouge" nogil:
    const char* inexact_arithmetic()


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
        CProgram(vector[CSpec], unique_ptr[CScoring], unique_ptr[CLimit], cbool, CVocabulary&, cbool) except +


cdef extern from "parallel.hpp" namespace "rouge" nogil:
    size_t threads_of(const CBatch&, size_t)
    void run_in_threads(const vector[CProgram*]&, CBatch&) except +


cdef extern from "settings.hpp" namespace "rouge" nogil:
    cppclass CFile "std::pair<std::string_view, std::string>":
        CView first
        CView second  # of a string

    cppclass CEval "rouge::PlainEval":
        CView id
        CView format
        size_t line
        vector[CFile] predictions
        vector[CFile] references

    cppclass CPlainSettings "rouge::PlainSettings":
        CPlainSettings(CView)
        cbool read(vector[CEval]&) except +


cdef extern from "streams.hpp" namespace "rouge" nogil:
    cppclass CPlainTexts "rouge::PlainTexts":
        size_t predictions
        cbool have_ids
        vector[size_t] lines
        size_t bytes()
        void clear()
        CView id(size_t)
        CView prediction(size_t, size_t)
        CView reference(size_t, size_t)
        size_t references(size_t)
        size_t first(size_t)
        CView value(size_t)
        void add(CView) except +
        void add(const vector[CCharacters]&, const vector[size_t]&) except +
        void end(size_t) except +
        CPlainTexts part(size_t, size_t) except +
        void reserve(size_t) except +

    CPlainTexts joined(const vector[const CPlainTexts*]&, size_t) except +


cdef extern from "records.hpp" namespace "rouge" nogil:
    cppclass CPlainRecords "rouge::PlainRecords":
        CPlainRecords(CView, CView, CView, cbool)
        size_t read(CView, size_t, size_t&, CPlainTexts&) except +


cdef extern from "delimited.hpp" namespace "rouge" nogil:
    cppclass CPlainTable "rouge::PlainTable":
        CPlainTable(char, size_t, size_t, vector[size_t], size_t)
        cbool has_names()
        cbool is_incomplete()
        size_t read(CView, size_t, size_t&, CPlainTexts&) except +


cdef extern from "lines.hpp" namespace "rouge" nogil:
    vector[size_t] read_lines(const vector[CView]&, size_t, CPlainTexts&) except +


cdef extern from "alignments.hpp" namespace "rouge" nogil:
    cppclass CDays "rouge::Days":
        vector[int64_t] dates
        vector[vector[pair[size_t, int64_t]]] words

    cppclass CCosts "rouge::Costs":
        CCosts(size_t, size_t) except +
        CCosts(const CDays&, const CDays&) except +
        void reduce(const CDays&, const CDays&, size_t, size_t) except +
        double& at(size_t, size_t)

    ctypedef vector[pair[size_t, size_t]] CPairs "rouge::Pairs"
    CPairs assigned "rouge::one_to_one"(const CCosts&) except +
    void both_directions(const CCosts&, cbool, CPairs&, CPairs&) except +


cdef extern from "tagging.hpp" namespace "rouge" nogil:
    cppclass CCondition "rouge::TagCondition":
        vector[int64_t] places
        vector[char] values
        cbool must_match
        void add(int32_t) except +

    cppclass CRule "rouge::TagRule":
        int32_t old_tag, tag
        vector[CCondition] conditions
        size_t requirement

    cppclass CRequirements "std::bitset<64>":
        void set(size_t, cbool) except +

    cppclass CWordTags "rouge::WordTags":
        int32_t tag, word
        CRequirements met

    cppclass CTaggedWords "rouge::TaggedWords":
        vector[int32_t] tags
        void add(const CWordTags*) except +
        void correct(const vector[CRule]&) except +


cdef extern from "wordnet.hpp" namespace "rouge" nogil:
    cppclass CWordNetPart "rouge::WordNetPart":
        CWordNetPart(string, string, vector[pair[string, string]]) except +
        vector[string] bases(CView) except +
        vector[string] near(CView, int64_t) except +
        vector[string] by_program(CView, char) except +
        int64_t count(CView) except +
        cbool is_name(CView) except +


cdef extern from "synonyms.hpp" namespace "rouge" nogil:
    cppclass CSynonyms "rouge::SynonymMatching":
        CSynonyms()
        void add(int32_t, vector[int32_t]) except +
        size_t size()
        size_t count(const vector[int32_t]&, const vector[int32_t]&, cbool, cbool) except +


cdef extern from "resampling.hpp" namespace "rouge" nogil:
    cppclass CInterval "rouge::Interval":
        double value
        double low
        double high

    vector[double] resampled(const vector[double]&, size_t, size_t, size_t, uint32_t, size_t) except +
    vector[CInterval] intervals(const vector[double]&, size_t, size_t, double, double, size_t) except +
    vector[CInterval] intervals_of_one(const vector[double]&, size_t, double, double) except +

    cppclass CTwister "rouge::MersenneTwister":
        CTwister(const uint32_t*, size_t)
        const uint32_t* state()
        size_t next()

    vector[double] means_of_samples "rouge::resampled_means"(const vector[double]&, size_t, size_t, CTwister&) except +


cdef extern from "draws.hpp" namespace "rouge" nogil:
    struct CScores "rouge::Scores":
        const double* rows
        size_t units
        size_t columns

    struct COccurrences "rouge::Occurrences":
        const uint16_t* numbers
        size_t size
        const double* chances

    cppclass CPcg64 "rouge::Pcg64":
        CPcg64(uint64_t, uint64_t, uint64_t, uint64_t)
        void add_exchanged "add<1>"(COccurrences&, CScores&, size_t, double*) except +
        void add_drawn "add<4>"(COccurrences&, CScores&, size_t, double*) except +
        void complete(CScores&, size_t, double*) except +


cdef extern from "coefficients.hpp" namespace "rouge::coefficients" nogil:
    enum class CCoefficient "rouge::coefficients::Coefficient":
        PEARSON
        SPEARMAN
        KENDALL

    cppclass CPool "rouge::coefficients::Pool":
        CPool(vector[double], vector[double], vector[size_t], vector[size_t]) except +
        void correlate(CCoefficient, const double*, size_t, const double*, size_t, size_t, double*) except +

    void within_evals(
        CCoefficient, const double*, const double*, const double*, size_t, const double*, size_t, size_t, double*
    ) except +


cdef enum:
    TOGETHER = 200  # pairs of a batch in one part: some milliseconds
    PACKED_TOGETHER = 1000  # evals of strings
    LONG = 16384  # characters that are read, and freed, without the GIL
    STATE = 624 * 4  # bytes of a Mersenne Twister

ROW = tuple(row_fields().decode().split())
if inexact_arithmetic() != NULL:
    raise ImportError(f"it was compiled with flags that change scores ({inexact_arithmetic().decode()})")
# The numbers of `Several` and `FMeasure` in scoring.hpp.
SEVERAL = "sum", "best", "mean", "highest", "mean shares"
MEASURES = "harmonic", "single", "shares", "weighted", "beta", "even"


# Cython's own conversions of objects to strings and vectors copy them where nothing catches std::bad_alloc: bytes are
# passed as views, and vectors are filled here.
cdef CView _view(bytes data):
    return CView(PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data))


cdef CCharacters _characters(text):
    """Return the characters of a string, which the caller keeps."""
    cdef CCharacters characters
    characters.data, characters.size = PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text)
    characters.width, characters.are_ascii = PyUnicode_KIND(text), PyUnicode_IS_ASCII(text)
    return characters


cdef double _give_turn(double since) except -1:
    """Let other threads run, if they have waited since a time for 4 ms; return since when they wait."""
    cdef double now = monotonic()
    if now < since + 4e-3:
        return since
    if len(sys._current_frames()) > 1:
        sleep(50e-6)  # unless the GIL is free for so long, no other thread wakes in time to take it
    return monotonic()


cdef class Words:
    """The vocabulary of a program: raw token -> id of its counted form.

    normalize: a `native.Normalizer` or None. Python is asked for the forms of words only if the stemmer is not ROUGE's own.
    reading: a `native.ReadingRules`. others: words of the same set-up, whose word lists are shared. stems_references: keep the
    words themselves, and their stems beside them.
    """

    cdef unique_ptr[CVocabulary] vocabulary
    cdef unique_ptr[CWordForms] counted
    cdef shared_ptr[COwnWordList] stop, irregular
    cdef CFormRules rules
    cdef object error
    cdef tuple questions  # Python's functions, in the order of `Question`

    def __init__(self, reading, normalize, Words others=None, cbool stems_references=False):
        cdef CReading made
        cdef bytes mark = reading.split if isinstance(reading.split, bytes) else b""
        cdef int question
        self.rules.stems_references = stems_references
        if others is None:
            form = None if self.read_lists(normalize) else normalize
            self.questions = (reading.tokenize, None if mark else reading.split, reading.normalize, reading.lines, form)
        else:
            self.stop, self.irregular, self.rules, self.questions = others.stop, others.irregular, others.rules, others.questions
        for question in range(QUESTIONS):
            made.asks[question] = self.questions[question] is not None
        made.reads_twice = reading.reads_twice
        made.is_separable, made.by_character = reading.is_separable, reading.by_character
        made.keeps_ascii, made.keeps_letters = reading.keeps_ascii, reading.keeps_letters
        made.ascii_only = reading.ascii_only
        made.mark.assign(PyBytes_AS_STRING(mark), <size_t> PyBytes_GET_SIZE(mark))
        dereference(self.vocabulary).set_reading(move(made))
        self.counted = make_unique[CWordForms](self.rules, dereference(self.vocabulary))

    def __cinit__(self):
        self.vocabulary = make_unique[CVocabulary]()  # not as a member, which could not report too little memory
        dereference(self.vocabulary).set_ask(ask, <void*> self)

    def __len__(self):
        return self.size()

    cdef size_t size(self):
        return max(dereference(self.counted).size(), dereference(self.vocabulary).parts())

    cdef cbool read_lists(self, normalize) except *:
        """Read the word lists; return false if Python is to be asked for forms."""
        stem = getattr(normalize, "stem", None)
        self.rules.stems = stem is not None
        if normalize is None:
            return True
        if stem is not None and not hasattr(stem, "own"):
            return False
        self.stop = _word_list(dict.fromkeys(normalize.stop, b""))
        self.irregular = _word_list({}) if stem is None else _word_list(stem.own, stem.release)
        if self.stop == NULL or self.irregular == NULL:
            return False
        self.rules.stop_words, self.rules.irregular_forms = dereference(self.stop).list(), dereference(self.irregular).list()
        self.rules.shortest = normalize.shortest
        return True

    cdef void check(self) except *:
        """Raise what a function of Python's raised, if it did."""
        error, self.error = self.error, None
        if error is not None:
            raise error


cdef shared_ptr[COwnWordList] release  # the package's irregular forms, once they are read


cdef shared_ptr[COwnWordList] _word_list(forms, read=None) except *:
    """Return word -> value as a list, None for the package's irregular forms; null if there is a word that lines cannot hold.

    read: returns the lines of the package's forms.
    """
    global release
    cdef bytes lines
    cdef string copied
    cdef shared_ptr[COwnWordList] made
    if forms is None and release != NULL:
        return release
    lines = read() if forms is None else b"".join([b"%b\t%b\n" % item for item in forms.items()])
    if forms is not None and (b"\0" in lines or not lines.count(b"\t") == len(forms) == lines.count(b"\n")):
        return made
    copied.assign(PyBytes_AS_STRING(lines), <size_t> PyBytes_GET_SIZE(lines))
    made = make_shared[COwnWordList](move(copied))
    if forms is None:
        release = made
    return made


cdef cbool ask(void* owner, int question, const char* data, size_t size, vector[string]& answers) noexcept with gil:
    cdef Words words = <Words> owner
    cdef bytes answer
    cdef size_t place = 0
    try:
        answered = words.questions[question](PyBytes_FromStringAndSize(data, size))
        if question == FORM:
            answered = () if answered is None else (answered,)
        answers.resize(len(answered))
        for answer in answered:
            answers[place].assign(PyBytes_AS_STRING(answer), <size_t> PyBytes_GET_SIZE(answer))
            place += 1
        return True
    except BaseException as error:
        words.error = error
        return False


def stem(bytes word not None):
    """ROUGE-1.5.5's Porter stem."""
    return porter_stem(_view(word))


cdef vector[CSpec] _specs(specs):
    cdef vector[CSpec] made
    cdef CSpec spec
    for spec.kind, spec.number, spec.unigrams, spec.weight in specs:
        made.push_back(spec)
    return move(made)


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
            scoring.reset(new CRouge155(self.setup.best_reference, self.setup.alpha, self.setup.is_scored))
        if self.setup.limit and self.setup.limit[0]:
            limited.reset(new CLimit(self.setup.limit[0], self.setup.limit[1]))
        self.words.append(words)
        program = make_unique[CProgram](
            _specs(self.setup.specs), move(scoring), move(limited), <cbool> self.setup.folds, dereference(words.vocabulary),
            stems_references)
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
        """Score batches in up to so many threads, but in one if Python is asked for words; return their number."""
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

        Return for each task the rows of the requested predictions, in order, packed as in `scoring.columns`; None if the Python
        program must score the task, since there is something to report. And by side (0 predictions, 1 references) the first
        text that the tokenizer cuts up: the index of its task, and its file.
        """
        cdef CBatch batch
        cdef list added = [], results = [None] * len(tasks), names = []  # names of files, while the batch refers to them
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
                rows.append(PyBytes_FromStringAndSize(<const char*> (batch.rows.data() + next_row), self.width * sizeof(CRow)))
                next_row += self.width
        return results, firsts

    def score_plain(self, PlainTexts texts not None):
        """Score evals that compiled code has read, with the GIL released.

        Return for each prediction the packed rows of the evals, joined; the indices of the evals without rows, which the Python
        program must score; and by side the first text that the tokenizer cuts up: the index of its eval, and of the text.
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
                memcpy(PyBytes_AS_STRING(data) + place * size, batch.rows.data() + (place * predictions + number) * self.width, size)
            rows.append(data)
        return rows, [place for place in range(batch.scored.size()) if not batch.scored[place]], firsts

    def tally(self):
        """Return the fields of `text.survey.Numbers` by name, since the last call, by side (predictions, references)."""
        sides = _named(self.tallies[0]), _named(self.tallies[1])
        self.tallies[0], self.tallies[1] = CTally(), CTally()
        return sides

    cdef list add(self, CBatch& batch, task, systems, list names):
        """Add the task's sources to the batch and return them; return None, and add none, if it cannot be scored here."""
        cdef CEvalSources made
        cdef CSource source
        cdef size_t before = batch.sources.size()
        cdef bytes data
        cdef list sources
        _, predictions, references, input_format, _ = task
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


# A named tuple made from a tuple, which avoids its own constructor in Python.
cdef object NEW = tuple.__new__


cdef class Pairs:
    """Pairs of strings by Google's definition, without tasks. Several threads may score at once.

    most_forms: a vocabulary that has grown beyond it is used no more. score_class: a named tuple of precision, recall and F.
    unmatched: makes a score of (name, reference, prediction).
    """

    cdef object reading, normalize
    cdef size_t most_forms
    cdef list unused  # vocabularies: a call takes one, so that no thread waits for another, and Python that is asked may come back
    cdef unique_ptr[CCounting] counting  # of single pairs
    cdef vector[CSpec] specs
    cdef list names
    cdef type score_class
    cdef list unmatched  # of each name: the score if a text is empty, and otherwise

    def __init__(self, reading, normalize, size_t most_forms, names, specs, type score_class not None, unmatched):
        self.reading, self.normalize, self.most_forms = reading, normalize, most_forms
        self.unused = []
        self.names = list(names)
        self.specs = _specs(specs)
        self.score_class = score_class
        self.unmatched = [(unmatched(name, 0.0, 0.0), unmatched(name, 1.0, 1.0)) for name in self.names]

    def __cinit__(self):
        self.counting = make_unique[CCounting]()

    def forms(self):
        """Return the number of different word forms so far, of the vocabulary that has the most."""
        return max(map(len, self.unused), default=0)

    def score(self, str target not None, str prediction not None):
        """Return the scores by name."""
        return self.score_pair(target, prediction)

    cdef dict score_pair(self, str target, str prediction):
        cdef vector[CCharacters] strings
        cdef vector[CCounts] counts
        strings.reserve(2)
        strings.push_back(_characters(target))
        strings.push_back(_characters(prediction))
        self.count(strings, strings[0].size + strings[1].size < LONG, counts)
        return self.scores(counts.data())

    def score_batch(self, list targets, list predictions):
        """Return the scores of each prediction against the target in the same place; other threads run between parts.

        None if a text is no string, or if the lengths differ.
        """
        cdef vector[CCharacters] strings
        cdef vector[CCounts] counts
        cdef size_t start, pair, number
        cdef list scores
        cdef double since
        if len(targets) == len(predictions) == 1 and type(targets[0]) is str and type(predictions[0]) is str:
            return [self.score_pair(targets[0], predictions[0])]
        scores, targets, predictions = [], targets.copy(), predictions.copy()  # other threads may change the lists
        number = len(targets)
        if number != <size_t> len(predictions):
            return None
        for of_side in (scores, targets, predictions):
            PyObject_GC_UnTrack(<void*> of_side)  # see `scores`
            for text in of_side:
                if type(text) is not str:
                    return None
        since = monotonic()
        for start in range(0, number, TOGETHER):
            strings.clear()
            for pair in range(start, min(start + TOGETHER, number)):
                strings.push_back(_characters(targets[pair]))
                strings.push_back(_characters(predictions[pair]))
            counts.clear()
            self.count(strings, False, counts)
            for pair in range(strings.size() // 2):
                scores.append(self.scores(counts.data() + pair * self.specs.size()))
            since = _give_turn(since)
        PyObject_GC_Track(<void*> scores)
        return scores

    cdef void count(self, const vector[CCharacters]& strings, bint at_once, vector[CCounts]& counts) except *:
        """Count pairs of strings, which the caller keeps: a single pair at once, and others without the GIL."""
        cdef unique_ptr[CCounting] counting
        cdef Words words = self.unused.pop() if self.unused else Words(self.reading, self.normalize)
        try:
            if at_once:
                count_pairs(dereference(self.counting), dereference(words.vocabulary), strings, self.specs, counts)
            else:
                with nogil:
                    counting = make_unique[CCounting]()
                    count_pairs(dereference(counting), dereference(words.vocabulary), strings, self.specs, counts)
                    counting.reset()
        except RuntimeError:
            words.check()
            raise
        finally:
            if words.size() <= self.most_forms:
                self.unused.append(words)

    cdef dict scores(self, const CCounts* counts):
        """Return the scores by name, given the counts by each of the metrics."""
        cdef dict scores = {}
        cdef size_t metric
        for metric in range(self.specs.size()):
            scores[self.names[metric]] = self.one_score(metric, counts[metric])
        # Figures, texts and lists of them are in no cycle: many of them would only keep the garbage collector busy, while all
        # other threads wait.
        # Before Python 3.14 a dictionary is tracked again when anything else is put into it.
        if PY_VERSION_HEX < 0x030E0000:
            PyObject_GC_UnTrack(<void*> scores)
        return scores

    cdef object one_score(self, size_t metric, const CCounts& counts):
        """Return precision, recall and F."""
        if not counts.match:
            empty, others = self.unmatched[metric]
            return others if counts.reference and counts.prediction else empty
        cdef double precision = counts.match / counts.prediction, recall = counts.match / counts.reference
        cdef tuple figures = (precision, recall, 2 * precision * recall / (precision + recall))
        score = PyTuple_Type.tp_new(self.score_class, (figures,), NULL)  # as `NEW`, with fewer steps
        PyObject_GC_UnTrack(<void*> score)  # see `scores`
        return score


cdef CCounting counting  # for `count`, whose tables of a large vocabulary are made once


def count(references, predictions, specs):
    """Return (reference, prediction, match) per prediction, per reference and per spec. A text is (tokens, sentences) of ids."""
    global counting
    cdef vector[CText] texts
    cdef vector[CCounts] counts
    cdef vector[CSpec] c_specs = _specs(specs)
    cdef size_t place
    texts.resize(len(references) + len(predictions))
    for place, (tokens, sentences) in enumerate([*references, *predictions]):
        _add_ids(texts[place].first, tokens)
        for sentence in sentences:
            _add_ids(texts[place].words, sentence)
            texts[place].ends.push_back(texts[place].words.size())
        texts[place].two_readings = texts[place].words != texts[place].first
    try:
        count_evals(counting, texts, len(references), len(predictions), c_specs, counts)
    except MemoryError:
        counting = CCounting()  # its tables are half filled
        raise
    # To make an object may run Python, and so another call.
    return [_as_tuple(counts[place], c_specs[place % c_specs.size()].kind) for place in range(counts.size())]


cdef void _add_ids(vector[int32_t]& ids, tokens) except *:
    for token in tokens:
        ids.push_back(token)


cdef tuple _as_tuple(CCounts& counts, int kind):
    """Return counts as Python's metrics have them: whole numbers, but weights as floats."""
    if kind == WEIGHTED_LCS:
        return counts.reference, counts.prediction, counts.match
    return <int64_t> counts.reference, <int64_t> counts.prediction, <int64_t> counts.match


cdef class Tagger:
    """The tagger of `text.tagging`, with its rules.

    likeliest: returns the likeliest tag of a word by itself. shares: returns the shares of its tags. around: how many places
    before and after a sentence rules look at, too.
    """

    cdef vector[CRule] rules
    cdef dict required  # what rules require of a word: (tag, the share that it must exceed) -> its index
    cdef dict numbers  # of tags and words
    cdef dict words  # word -> its index in `known`
    cdef cppdeque[CWordTags] known
    cdef CWordTags before, after  # the places around a sentence
    cdef object likeliest, shares
    cdef size_t around

    def __init__(self, rules, likeliest, shares, around):
        cdef CRule made
        cdef CCondition condition
        self.numbers, self.words, self.likeliest, self.shares, self.around = {}, {}, likeliest, shares, around
        self.required = {}
        for rule in rules:
            made.old_tag, made.tag = self.number(rule.old), self.number(rule.tag)
            made.requirement = self.required.setdefault((rule.listed, rule.share), len(self.required))
            self.before.met.set(made.requirement, not rule.listed)
            made.conditions.clear()
            for places, values, must_match in rule.conditions:
                condition.places = places
                condition.values.clear()
                for value in values:
                    condition.add(self.number(value))
                condition.must_match = must_match
                made.conditions.push_back(condition)
            self.rules.push_back(made)
        self.before.tag, self.after.tag = self.number("START"), self.number("END")
        self.before.word = self.after.word = -1

    cdef int32_t number(self, value) except -1:
        return self.numbers.setdefault(value, len(self.numbers))

    cdef CWordTags* find(self, word) except NULL:
        """Return what is known of a word."""
        cdef CWordTags made
        place = self.words.get(word)
        if place is None:
            shares = self.shares(word)
            made.tag, made.word = self.number(self.likeliest(word)), self.numbers.get(word.lower(), -1)
            made.met = self.before.met  # what requires nothing
            if shares:
                for (listed, share), requirement in self.required.items():
                    if listed:
                        made.met.set(requirement, shares.get(listed, 0) > share)
            place = self.known.size()
            self.known.push_back(made)
            self.words[word] = place
        return &self.known[<size_t> place]

    def tag(self, list words not None):
        """Return the tags of the words of a sentence."""
        cdef CTaggedWords tagged
        cdef size_t place
        for place in range(self.around):
            tagged.add(&self.before)
        for word in words:
            tagged.add(self.find(word))
        for place in range(self.around):
            tagged.add(&self.after)
        tagged.correct(self.rules)
        names = list(self.numbers)
        return [names[tagged.tags[place]] for place in range(self.around, self.around + len(words))]


cdef class WordNetPart:
    """A part of speech of WordNet, as `_Part` in `data.wordnet`."""

    cdef unique_ptr[CWordNetPart] part

    def __init__(self, bytes synsets not None, bytes exceptions not None, endings):
        cdef vector[pair[string, string]] pairs = endings
        self.part = make_unique[CWordNetPart](_string(synsets), _string(exceptions), move(pairs))

    def bases(self, bytes word not None):
        """Return the base forms of a word."""
        return dereference(self.part).bases(_view(word))

    def near(self, bytes word not None, int64_t least):
        """Return single words in lower case of synsets near a word, with repeats."""
        return dereference(self.part).near(_view(word), least)

    def by_program(self, bytes word not None, str part not None):
        """Return the synonyms of ROUGE 2.0, with repeats; part: n, v or a."""
        return dereference(self.part).by_program(_view(word), <char> ord(part))

    def count(self, bytes word not None):
        """Return how often a base form was tagged in all senses."""
        return dereference(self.part).count(_view(word))

    def is_name(self, bytes word not None):
        """Return True if a word has a capital in all senses."""
        return dereference(self.part).is_name(_view(word))


cdef class Synonyms:
    """Counts single words that match equal words and synonyms, as `Units` in `dialects.rouge2.counts`.

    of: form -> its synonyms. expand: the texts whose words are expanded, or both. most_forms: begin anew beyond it.
    """

    cdef CSynonyms matching
    cdef object of
    cdef cbool of_predictions, of_references
    cdef size_t most_forms, times_anew
    cdef dict spellings
    cdef unordered_map[size_t, int32_t] ids  # by the address of a form
    cdef list forms

    def __init__(self, of, str expand not None, size_t most_forms):
        self.of, self.most_forms, self.spellings, self.forms = of, most_forms, {}, []
        self.of_predictions, self.of_references = expand != "reference", expand != "prediction"

    def count(self, reference, prediction):
        """Return the numbers of forms of both texts, which are given line by line, and of matches."""
        cdef vector[int32_t] of_reference, of_prediction
        cdef size_t before
        if self.matching.size() > self.most_forms:
            self.matching, self.times_anew = CSynonyms(), self.times_anew + 1
            self.ids.clear()
            self.spellings, self.forms = {}, []
        while True:  # again, if another thread begins anew meanwhile
            before = self.times_anew
            self.read(reference, of_reference)
            self.read(prediction, of_prediction)
            if before == self.times_anew:
                break
        matches = self.matching.count(of_reference, of_prediction, self.of_predictions, self.of_references)
        return of_reference.size(), of_prediction.size(), matches

    cdef void read(self, lines, vector[int32_t]& ids) except *:
        cdef unordered_map[size_t, int32_t].iterator known
        ids.clear()
        for line in lines:
            for form in line:
                known = self.ids.find(<size_t> <void*> form)
                ids.push_back(self.add(form) if known == self.ids.end() else dereference(known).second)

    cdef int32_t add(self, form) except -1:
        cdef vector[int32_t] synonyms
        cdef int32_t number
        others = self.of[form]  # which may let other threads run
        for other in others:
            synonyms.push_back(self.spellings.setdefault(other, len(self.spellings)))
        number = <int32_t> self.matching.size()
        self.matching.add(self.spellings.setdefault(form[0], len(self.spellings)), move(synonyms))
        self.ids[<size_t> <void*> form] = number
        self.forms.append(form)
        return number


cdef string _string(bytes data) except *:
    cdef string copied
    copied.assign(PyBytes_AS_STRING(data), <size_t> PyBytes_GET_SIZE(data))
    return copied


cdef str _ascii(CView view):
    return PyUnicode_DecodeASCII(view.data(), view.size(), NULL)


def plain_settings(bytes data not None, str path not None, formats, eval_task):
    """Return the evals of a document of the plainest kind; None for any other, or if something is to be reported.

    formats: those that the caller reads. eval_task: the record of `core`, a named tuple.
    """
    cdef unique_ptr[CPlainSettings] settings = make_unique[CPlainSettings](_view(data))
    cdef vector[CEval] evals
    cdef size_t at, file
    cdef list tasks = [], references
    cdef dict predictions
    cdef str name, written, last = "", input_format = ""
    cdef set names = set()
    if not dereference(settings).read(evals):
        return None
    for at in range(evals.size()):
        name, written = _ascii(evals[at].id), _ascii(evals[at].format)
        if written != last:
            last, input_format = written, written.lower()
            if input_format and input_format not in formats:
                return None
        predictions, references = {}, []
        for file in range(evals[at].predictions.size()):
            predictions[_ascii(evals[at].predictions[file].first)] = _ascii(evals[at].predictions[file].second)
        for file in range(evals[at].references.size()):
            references.append((_ascii(evals[at].references[file].first), _ascii(evals[at].references[file].second)))
        names.add(name)
        tasks.append(NEW(eval_task, (name, predictions, references, input_format, f"{path}:{evals[at].line}")))
        are_different = len(references) < 2 or len(dict(references)) == len(references)
        if not are_different or <size_t> len(predictions) < evals[at].predictions.size() or len(names) < len(tasks):
            return None
    return tasks


cdef bytes _bytes(CView view):
    return PyBytes_FromStringAndSize(view.data(), view.size())


cdef class PlainTexts:
    """The texts of evals that were read here."""

    cdef CPlainTexts texts

    def __dealloc__(self):
        if self.texts.bytes() > LONG:
            with nogil:
                self.texts.clear()

    def __len__(self):
        return self.texts.lines.size()

    def part(self, size_t start, size_t end):
        """Return the evals from one place to another."""
        cdef PlainTexts texts = PlainTexts.__new__(PlainTexts)
        with nogil:
            texts.texts = self.texts.part(start, end)
        return texts

    def beside(self, others, size_t number):
        """Return the evals with the predictions of other texts after their own, up to one of another line, ID or reference.

        number: that of the first eval; numbers are the IDs if there are none.
        """
        cdef PlainTexts texts = PlainTexts.__new__(PlainTexts), other
        cdef vector[const CPlainTexts*] systems
        for other in (self, *others):
            systems.push_back(&other.texts)
        with nogil:
            texts.texts = joined(systems, number)
        return texts

    def add(self, list ids, list predictions, list references):
        """Add evals of strings: the list of each system, and for each eval a string, or a list or tuple of strings.

        The garbage collector does not look at lists of strings again: they must be those of our own, which nobody adds to.
        Return False if there is something else in place of a string, or of an ID that can be encoded; the evals are of no use then.
        """
        cdef vector[CCharacters] strings
        cdef vector[size_t] ends
        cdef size_t start, place, number = len(references)
        cdef list kept  # while other threads may change the lists
        cdef double since = monotonic()
        for start in range(0, number, PACKED_TOGETHER):
            kept = []
            strings.clear()
            ends.clear()
            for place in range(start, min(start + PACKED_TOGETHER, number)):
                if ids is not None:
                    kept.append(ids[place])
                    try:
                        (<str?> ids[place]).encode()
                    except (TypeError, UnicodeEncodeError):
                        return False
                for texts in predictions:
                    kept.append(texts[place])
                reference = references[place]
                if type(reference) is list or type(reference) is tuple:
                    if not reference:
                        return False
                    kept.extend(reference)
                else:
                    kept.append(reference)
                ends.push_back(len(kept))
            for text in kept:
                if type(text) is not str:
                    return False
                strings.push_back(_characters(text))
            with nogil:
                self.texts.add(strings, ends)
                if start == 0:
                    self.texts.reserve((number - 1) // PACKED_TOGETHER)
            since = _give_turn(since)
        for texts in (*predictions, references):
            PyObject_GC_UnTrack(<void*> texts)  # see `Pairs.scores`; anything but strings may be in a cycle
        return True

    def lines(self):
        """Return the numbers of the lines where evals begin."""
        return self.texts.lines

    def ids(self):
        """Return the IDs; without them, the numbers of the lines."""
        cdef size_t place
        if not self.texts.have_ids:
            return list(map(str, self.texts.lines))
        return [_bytes(self.texts.id(place)).decode() for place in range(self.texts.lines.size())]

    def line(self, size_t place):
        """Return the number of the line where an eval begins."""
        return self.texts.lines[place]

    def numbers_of_references(self):
        """Return the different numbers of references of the evals."""
        return {self.texts.references(place) for place in range(self.texts.lines.size())}

    @property
    def have_ids(self):
        """Whether evals have IDs of their own."""
        return self.texts.have_ids

    def row(self, size_t place):
        """Return the values of an eval: its ID, if it has one, its predictions and its references."""
        cdef size_t number
        return [_bytes(self.texts.value(number)) for number in range(self.texts.first(place), self.texts.first(place + 1))]


def plain_texts(lines, bint have_ids, size_t predictions, rows):
    """Return the texts with these rows."""
    cdef PlainTexts texts = PlainTexts.__new__(PlainTexts)
    texts.texts.have_ids, texts.texts.predictions = have_ids, predictions
    for line, row in zip(lines, rows):
        for value in row:
            texts.texts.add(_view(value))
        texts.texts.end(line)
    return texts


cdef class PlainRecords:
    """Reads lines of jsonl with a string in the prediction's column, and a string or a list of strings in the references'.

    eval_id: the column of IDs; empty if there is none. reads_lists: True if a list holds several references.
    """

    cdef unique_ptr[CPlainRecords] records

    def __init__(self, str prediction not None, str reference not None, str eval_id not None, *, bint reads_lists):
        names = [name.encode("utf-8", "surrogatepass") for name in (prediction, reference, eval_id)]
        self.records = make_unique[CPlainRecords](_view(names[0]), _view(names[1]), _view(names[2]), <cbool> reads_lists)

    def read(self, bytes block not None, size_t start, size_t number):
        """Read a block's lines from an offset on, the number of whose line is given, up to one of another kind.

        Return the texts, and offset and number of the line after them.
        """
        cdef PlainTexts texts = PlainTexts.__new__(PlainTexts)
        cdef CView view = _view(block)
        with nogil:
            start = dereference(self.records).read(view, start, number, texts.texts)
        return texts, start, number


cdef class PlainTable:
    """Reads rows of a table with a prediction's text, texts of references, and perhaps an ID.

    columns: how many there are. prediction, references, eval_id: places of columns; eval_id is `columns` if there is none.
    """

    cdef unique_ptr[CPlainTable] table

    def __init__(self, str delimiter not None, size_t columns, size_t prediction, references, size_t eval_id):
        cdef vector[size_t] places
        cdef size_t place
        for place in references:
            places.push_back(place)
        self.table = make_unique[CPlainTable](<char> ord(delimiter), columns, prediction, places, eval_id)

    @property
    def has_names(self):
        """Whether the row of names has been read."""
        return dereference(self.table).has_names()

    @property
    def is_incomplete(self):
        """Whether the last row that was read ends inside quotes."""
        return dereference(self.table).is_incomplete()

    def read(self, bytes block not None, size_t start, size_t number):
        """Read a block's rows from an offset on, the number of whose line is given, up to one that is not plain.

        The table's first row, of names, is skipped. Return the texts, and offset and number of the line after them.
        """
        cdef PlainTexts texts = PlainTexts.__new__(PlainTexts)
        cdef CView view = _view(block)
        with nogil:
            start = dereference(self.table).read(view, start, number, texts.texts)
        return texts, start, number


def plain_lines(blocks, size_t number, size_t predictions):
    """Read the lines that all blocks have, the first of which has that number, up to MOST_EVALS of them.

    A block is the texts of a file: the first `predictions` ones of predictions, the others of references. Return the texts, and the
    offsets after them.
    """
    cdef PlainTexts texts = PlainTexts.__new__(PlainTexts)
    cdef vector[CView] views
    cdef vector[size_t] ends
    texts.texts.predictions = predictions
    for block in blocks:
        views.push_back(_view(block))
    with nogil:
        ends = read_lines(views, number, texts.texts)
    return texts, ends


cdef vector[double] _rows(columns, size_t size):
    """Return the columns as rows, one after the other."""
    cdef size_t width = len(columns), row, place
    cdef vector[double] rows
    cdef const double* values
    rows.resize(size * width)
    for place, column in enumerate(columns):
        numbers = column if type(column) is array and column.typecode == "d" else array("d", column)
        values = _numbers(numbers)
        with nogil:
            for row in range(size):
                rows[row * width + place] = values[row]
    return move(rows)


def records(rows, size_t width, dict fields):
    """Return a mapping from name to figure for each eval, a row of `width` figures; fields: name -> place in a row."""
    cdef size_t number, field, evals = len(rows) // width
    cdef const double* row = _numbers(rows) if evals else NULL
    cdef list found = [], names = list(fields)
    cdef vector[size_t] places
    cdef dict record
    cdef double since = monotonic()
    PyObject_GC_UnTrack(<void*> found)  # see `Pairs.scores`
    for place in fields.values():
        places.push_back(place)
    for number in range(evals):
        if number % TOGETHER == 0:
            since = _give_turn(since)
        record = fields.copy()
        for field in range(places.size()):
            record[names[field]] = row[number * width + places[field]]
        found.append(record)
    PyObject_GC_Track(<void*> found)
    return found


def resampled_sums(columns, size_t times, uint32_t first, size_t jobs):
    """Return, for each column, the sums of its resampled values, one for every sample."""
    cdef size_t width = len(columns), size = len(columns[0]), column, sample
    cdef vector[double] rows = _rows(columns, size), sums
    with nogil:
        sums = resampled(rows, size, width, times, first, jobs)
    return [[sums[sample * width + column] for sample in range(times)] for column in range(width)]


def estimates(columns, size_t times, double samples, double confidence, uint32_t first, size_t jobs):
    """Return, for each column, the mean of its resampled means and their interval: (value, low, high)."""
    cdef size_t width = len(columns), size = len(columns[0])
    cdef vector[double] rows = _rows(columns, size)
    cdef vector[CInterval] estimated
    with nogil:
        if size == 1:
            estimated = intervals_of_one(rows, times, samples, confidence)
        else:
            estimated = intervals(resampled(rows, size, width, times, first, jobs), width, size, samples, confidence, jobs)
    return [(interval.value, interval.low, interval.high) for interval in estimated]


def resampled_means(rows, size_t width, size_t samples, bytes key not None, size_t place):
    """Return, for each sample, the means of rows drawn with replacement, as numpy.random.RandomState.choice draws for rouge_score.

    rows: `width` numbers to a row. key, place: the state of the generator, as in RandomState.get_state(); the key and the place
    that the draws leave are returned after the means.
    """
    cdef vector[double] figures = _rows([rows], len(rows)), means
    cdef unique_ptr[CTwister] twister
    if len(key) != STATE:
        raise ValueError("not a state of numpy.random.RandomState")
    twister = make_unique[CTwister](<const uint32_t*> PyBytes_AS_STRING(key), place)
    with nogil:
        means = means_of_samples(figures, width, samples, dereference(twister))
    key = PyBytes_FromStringAndSize(<const char*> dereference(twister).state(), STATE)
    return means, key, dereference(twister).next()


cdef class Draws:
    """What a generator of numpy, numpy.random.default_rng(seed), would draw; it stays as it is."""

    cdef unique_ptr[CPcg64] generator

    def __init__(self, generator):
        state = generator.bit_generator.state["state"]
        parts = [part for name in ("state", "inc") for part in divmod(state[name], 1 << 64)]
        self.generator = make_unique[CPcg64](
            <uint64_t> parts[0], <uint64_t> parts[1], <uint64_t> parts[2], <uint64_t> parts[3]
        )

    def add(self, scores, sums, numbers, chances):
        """Add scores to the sums, as `Sums.add` of studies/draws.py."""
        cdef CScores values = CScores(_numbers(scores), scores.shape[0], scores.shape[1])
        cdef COccurrences occurrences = COccurrences(<const uint16_t*> _numbers(numbers), len(numbers), _numbers(chances))
        cdef double* totals = _numbers(sums)
        cdef size_t trials = len(sums)
        cdef bint is_drawn = len(chances) > 0
        with nogil:
            if is_drawn:
                dereference(self.generator).add_drawn(occurrences, values, trials, totals)
            else:
                dereference(self.generator).add_exchanged(occurrences, values, trials, totals)

    def complete(self, scores, sums):
        """Draw units until each trial has as many as there are."""
        cdef CScores values = CScores(_numbers(scores), scores.shape[0], scores.shape[1])
        cdef double* totals = _numbers(sums)
        cdef size_t trials = len(sums)
        with nogil:
            dereference(self.generator).complete(values, trials, totals)


cdef double* _numbers(array) except NULL:
    """Return the doubles of a contiguous array, which the caller keeps."""
    cdef Py_buffer view
    PyObject_GetBuffer(array, &view, PyBUF_C_CONTIGUOUS)
    PyBuffer_Release(&view)
    return <double*> view.buf


cdef CCoefficient _coefficient(str name):
    if name == "pearson":
        return CCoefficient.PEARSON
    return CCoefficient.SPEARMAN if name == "spearman" else CCoefficient.KENDALL


def correlate_pooled(str coefficient, x, y, systems, evals, found):
    """Fill an array with the correlation of all summaries in each sample.

    x, y: systems x evals, nan if missing. systems, evals: how often each sample has them.
    """
    cdef const double *of_x = _numbers(x), *of_y = _numbers(y), *of_systems = _numbers(systems), *of_evals = _numbers(evals)
    cdef double* values = _numbers(found)
    cdef size_t height = len(x), width = len(x[0]), samples = len(systems), place
    cdef CCoefficient chosen = _coefficient(coefficient)
    cdef vector[double] points_x, points_y
    cdef vector[size_t] rows, columns
    cdef unique_ptr[CPool] pool
    with nogil:
        for place in range(height * width):
            if of_x[place] == of_x[place]:
                points_x.push_back(of_x[place])
                points_y.push_back(of_y[place])
                rows.push_back(place // width)
                columns.push_back(place % width)
        pool = make_unique[CPool](points_x, points_y, rows, columns)
        dereference(pool).correlate(chosen, of_systems, height, of_evals, width, samples, values)


def correlate_within_evals(str coefficient, x, y, systems, evals, found):
    """Fill an array with the mean of the correlations within evals in each sample, nan if all are undefined.

    x, y: systems x evals, nan if missing. systems, evals: how often each sample has them.
    """
    cdef const double *of_x = _numbers(x), *of_y = _numbers(y), *of_systems = _numbers(systems), *of_evals = _numbers(evals)
    cdef double* values = _numbers(found)
    cdef size_t height = len(x), width = len(x[0]), samples = len(systems)
    cdef CCoefficient chosen = _coefficient(coefficient)
    with nogil:
        within_evals(chosen, of_x, of_y, of_systems, height, of_evals, width, samples, values)


cdef void _days(CDays& days, side, dict numbers) except *:
    """Fill the days, and number their words."""
    cdef size_t place
    dates, words = side
    days.words.resize(len(dates))
    for place, (date, counters) in enumerate(zip(dates, words)):
        days.dates.push_back(date.toordinal())
        for counter in counters:
            for word, frequency in counter.items():
                days.words[place].push_back(pair[size_t, int64_t](numbers.setdefault(word, len(numbers)), frequency))


def align_days(predicted, references, size_t times, *, bint many):
    """Return the aligned days, as (predicted day, day of the references, cost): for precision, and for recall.

    A side is its dates, and for each the frequencies of its words in each timeline that has it. times: the number of
    references; 0 if costs depend on dates only. many: whether several days may share one.
    """
    cdef CDays rows, columns
    cdef dict numbers = {}
    cdef size_t words
    cdef unique_ptr[CCosts] costs
    cdef CPairs precision, recall
    _days(rows, predicted, numbers)
    _days(columns, references, numbers)
    words = len(numbers)
    with nogil:
        costs = make_unique[CCosts](rows, columns)
        if times > 0:
            dereference(costs).reduce(rows, columns, words, times)
        both_directions(dereference(costs), many, precision, recall)
    return [_links(precision, dereference(costs)), _links(recall, dereference(costs))]


cdef list _links(const CPairs& pairs, CCosts& costs):
    cdef size_t place
    return [
        (pairs[place].first, pairs[place].second, costs.at(pairs[place].first, pairs[place].second)) for place in range(pairs.size())
    ]


def one_to_one(costs):
    """Return the pairs of least total cost of a matrix, sorted by row."""
    cdef size_t row, column
    cdef unique_ptr[CCosts] matrix = make_unique[CCosts](<size_t> len(costs), <size_t> (len(costs[0]) if costs else 0))
    for row, values in enumerate(costs):
        for column, value in enumerate(values):
            (&dereference(matrix).at(row, column))[0] = value
    return assigned(dereference(matrix))
