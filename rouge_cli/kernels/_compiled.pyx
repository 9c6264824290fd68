# distutils: language = c++
# cython: language_level=3, boundscheck=False, wraparound=False
"""The compiled twin of the kernels; the headers say how, the Python beside them says what."""

import os

from libc.stdint cimport int32_t, uint32_t
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.unicode cimport PyUnicode_1BYTE_DATA, PyUnicode_DecodeASCII, PyUnicode_GET_LENGTH
from libc.string cimport memchr
from libcpp cimport bool as cbool
from libcpp.string cimport string
from libcpp.vector cimport vector


cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object)


cdef extern from "_counting.hpp" namespace "rouge" nogil:
    enum Kind:
        NGRAM
        SKIP_BIGRAM
        LCS
        WEIGHTED_LCS

    cppclass CText "rouge::Text":
        vector[int32_t] tokens
        vector[int32_t] words
        vector[size_t] ends

    cppclass CUnit "rouge::Unit":
        int kind
        long number
        cbool unigrams
        double weight

    cppclass CCounts "rouge::Counts":
        double model
        double peer
        double match

    const vector[CCounts]& counted(const vector[const CText*]&, const vector[const CText*]&, const vector[CUnit]&) except +


cdef extern from "_scoring.hpp" namespace "rouge" nogil:
    cppclass CRow "rouge::Row":
        pass

    cppclass CScoring "rouge::Scoring":
        CScoring(const vector[CUnit]&, cbool, double) except +
        vector[CRow] rows(const vector[CCounts]&, size_t, size_t) except +


cdef extern from "_reading.hpp" namespace "rouge" nogil:
    cppclass CView "std::string_view":
        CView()
        CView(const char*, size_t)
        const char* data()
        size_t size()

    cbool whole_file(const char*, vector[char]&, CView&) except +
    void see_units(CView, vector[CView]&) except +
    cbool spl_units(CView, vector[CView]&) except +

    cppclass CSurvey "rouge::Survey":
        size_t quoted
        size_t escaped
        size_t letters
        size_t cut
        void add(const vector[CView]&)
        cbool cut_up()

    cppclass CLimit "rouge::Limit":
        CLimit(double, cbool)
        vector[CView] first_reading(const vector[CView]&) except +
        vector[CView] second_reading(const vector[CView]&) except +


cdef extern from "_read_ahead.hpp" namespace "rouge" nogil:
    cppclass CReadAhead "rouge::ReadAhead":
        CReadAhead(vector[string]) except +
        cbool take(const string&, vector[char]&) except +


cdef extern from "_settings.hpp" namespace "rouge" nogil:
    cppclass CFile "std::pair<std::string_view, std::string>":
        CView first
        string second

    cppclass CEval "rouge::PlainEval":
        CView id
        CView format
        size_t line
        vector[CFile] peers
        vector[CFile] models

    cppclass CPlainSettings "rouge::PlainSettings":
        CPlainSettings(CView)
        cbool read(vector[CEval]&) except +


cdef extern from "_resampling.hpp" namespace "rouge" nogil:
    cppclass CInterval "rouge::Interval":
        double value
        double low
        double high

    vector[double] resampled(const vector[double]&, size_t, size_t, size_t, uint32_t) except +
    CInterval interval(const vector[double]&, size_t, size_t, size_t, double, double, vector[double]&) except +


cdef extern from "_words.hpp" namespace "rouge" nogil:
    cppclass CToken "rouge::Token":
        pass

    cppclass CKnown "rouge::Known":
        void add(const CToken&, int32_t) except +

    cppclass CTokens "rouge::Tokens":
        void start(const char*, size_t) except +
        cbool unknown(const CKnown&, vector[int32_t]&) except +
        const CToken& here()
        string bytes() except +

    cppclass CStemmer "rouge::Stemmer":
        CStemmer(string)
        string stem() except +


cdef extern from "_pairs.hpp" namespace "rouge" nogil:
    cppclass CPairs "rouge::Pairs":
        CText model
        CText peer
        void start() except +
        CCounts counts(int) except +
        cbool small()

    const int CLONGEST "rouge::Pairs::LONGEST"
    const int CUNITED "rouge::Pairs::UNITED"


cdef class Handle:
    """A text as the compiled kernels hold it.

    units, size, survey: of its file, where it was read here: its units, their bytes, and what is in them.
    """

    cdef CText text
    cdef readonly size_t units
    cdef readonly size_t size
    cdef CSurvey survey

    def __init__(self, tokens, sentences):
        for token in tokens:
            self.text.tokens.push_back(token)
        for sentence in sentences:
            for token in sentence:
                self.text.words.push_back(token)
            self.text.ends.push_back(self.text.words.size())

    @property
    def empty(self):
        return self.text.tokens.empty()

    @property
    def wordless(self):
        return self.text.words.empty()

    @property
    def tokens(self):
        return list(self.text.tokens)

    @property
    def sentences(self):
        words = list(self.text.words)
        ends = list(self.text.ends)
        return [words[start:end] for start, end in zip([0, *ends], ends)]


cdef class Stemmer:
    """The base form of an irregular word, else the stem."""

    cdef object irregular

    def __init__(self, irregular):
        self.irregular = irregular

    cdef bytes stem(self, bytes word):
        base = self.irregular.get(word)
        return CStemmer(word).stem() if base is None else base

    def __call__(self, bytes word not None):
        return self.stem(word)


cdef class Normal:
    """A raw token's form: None for a stop word, else its stem; a shorter word is as it is."""

    cdef frozenset stop
    cdef Stemmer stemmer
    cdef size_t shortest

    def __init__(self, frozenset stop not None, Stemmer stemmer not None, size_t shortest):
        self.stop = stop
        self.stemmer = stemmer
        self.shortest = shortest

    cdef bytes form(self, bytes raw):
        if raw in self.stop:
            return None
        return raw if <size_t> PyBytes_GET_SIZE(raw) < self.shortest else self.stemmer.stem(raw)

    def __call__(self, bytes raw not None):
        return self.form(raw)


cdef class Words:
    """raw token -> id; each raw token is asked of `look_up` once.

    Given what `look_up` does, form by form, it is not asked at all: a Normal, and the ids of all forms.
    """
    cdef CKnown known
    cdef vector[char] buffer  # of files
    cdef object look_up
    cdef Normal normal
    cdef dict forms

    def __init__(self, look_up, Normal normal=None, dict forms=None):
        self.look_up = look_up
        self.normal = normal
        self.forms = forms

    cdef int32_t number(self, bytes raw) except? -3:
        if self.normal is None:
            return self.look_up[raw]
        form = self.normal.form(raw)
        return -1 if form is None else self.forms.setdefault(form, len(self.forms))

    cdef void append(self, vector[int32_t]& ids, bytes unit) except *:
        self.append_bytes(ids, PyBytes_AS_STRING(unit), PyBytes_GET_SIZE(unit))

    cdef void append_bytes(self, vector[int32_t]& ids, const char* unit, size_t size) except *:
        cdef CTokens tokens
        tokens.start(unit, size)
        while tokens.unknown(self.known, ids):
            self.known.add(tokens.here(), self.number(tokens.bytes()))


def read(Words whole, first, Words by_sentence, second):
    """The text whose sentences are the units of `second`; read on, it is `first`, or the same if None."""
    cdef Handle handle = Handle((), ())
    for unit in second:
        by_sentence.append(handle.text.words, unit)
        handle.text.ends.push_back(handle.text.words.size())
    if first is None and whole is by_sentence:
        handle.text.tokens = handle.text.words
    else:
        for unit in second if first is None else first:
            whole.append(handle.text.tokens, unit)
    return handle


cdef Handle read_file(str path, bint see, Words words, limit, CReadAhead* ahead):
    """The text in an ordinary file of SEE or SPL; None where anything is worth a word, or cannot be read."""
    cdef bytes name
    cdef Handle handle = Handle.__new__(Handle)
    cdef CView data, unit
    cdef vector[CView] units, first
    cdef CLimit* limited = NULL
    try:
        name = os.fsencode(path)
    except UnicodeEncodeError:
        return None
    if b"\0" in name:
        return None
    if ahead.take(name, words.buffer):
        data = CView(words.buffer.data(), words.buffer.size())
    elif not whole_file(PyBytes_AS_STRING(name), words.buffer, data):
        return None
    if see:
        see_units(data, units)
    elif not spl_units(data, units):
        return None
    for unit in units:
        handle.size += unit.size()
    handle.units = units.size()
    handle.survey.add(units)
    if limit is not None:
        limited = new CLimit(limit.most, limit.in_words)
        try:
            if not limit.in_words:
                first = limited.first_reading(units)
            units = limited.second_reading(units)
        finally:
            del limited
    for unit in units:
        words.append_bytes(handle.text.words, unit.data(), unit.size())
        handle.text.ends.push_back(handle.text.words.size())
    if limit is None or limit.in_words:
        handle.text.tokens = handle.text.words
    for unit in first:
        words.append_bytes(handle.text.tokens, unit.data(), unit.size())
    return None if handle.text.tokens.empty() or handle.text.words.empty() else handle


cdef class Files:
    """Ordinary files as texts, each read once and kept until its last use.

    limit: a Limit, or None. uses: how often each path will be read, which is counted down. first_cut: by
    side, the first text that is cut up, which is written there.
    """

    cdef Words words
    cdef object limit
    cdef object uses
    cdef dict kept_see
    cdef dict kept_spl
    cdef list first_cut
    cdef size_t tallies[2][8]
    cdef CReadAhead* ahead

    def __cinit__(self, Words words not None, limit, uses, list first_cut not None):
        cdef vector[string] paths
        for path in uses:
            try:
                paths.push_back(os.fsencode(path))
            except UnicodeEncodeError:
                pass
        self.ahead = new CReadAhead(paths)

    def __dealloc__(self):
        del self.ahead

    def __init__(self, Words words not None, limit, uses, list first_cut not None):
        self.first_cut = first_cut
        self.words = words
        self.limit = limit
        self.uses = uses
        self.kept_see = {}
        self.kept_spl = {}
        self.tallies = [[0] * 8, [0] * 8]

    def read(self, named, str input_format, bint side):
        """The texts of (ID, path) pairs; None, and nothing is counted, where one is not an ordinary file."""
        cdef bint see = input_format == "see"
        cdef dict kept = self.kept_see if see else self.kept_spl
        cdef dict read = {}
        cdef list found = [], paths = []
        cdef Handle handle
        if not see and input_format != "spl":
            return None
        for _, path in named:
            if type(path) is not str:
                return None
            handle = kept.get(path) or read.get(path)
            if handle is None:
                handle = read[path] = read_file(path, see, self.words, self.limit, self.ahead)
                if handle is None:
                    return None
            found.append(handle)
            paths.append(path)
        for path, handle in zip(paths, found):
            left = self.uses[path] = self.uses[path] - 1
            if left > 0:
                kept[path] = handle
            elif kept:
                kept.pop(path, None)
            self.tallies[side][0] += 1
            self.tallies[side][1] += handle.units
            self.tallies[side][2] += handle.size
            self.tallies[side][3] += handle.survey.quoted
            self.tallies[side][4] += handle.survey.escaped
            if handle.survey.cut_up():
                self.tallies[side][5] += 1
                self.tallies[side][6] += handle.survey.letters
                self.tallies[side][7] += handle.survey.cut
                self.first_cut[side] = self.first_cut[side] or path
        return found

    def tally(self):
        """By side, the numbers of texts that were read, of their units, of their bytes, and of survey.py."""
        return self.tallies


cdef str _ascii(CView view):
    return PyUnicode_DecodeASCII(view.data(), view.size(), NULL)


cdef list _files(vector[CFile]& files):
    cdef size_t at
    return [
        (_ascii(files[at].first), PyUnicode_DecodeASCII(files[at].second.data(), files[at].second.size(), NULL))
        for at in range(files.size())
    ]


def plain_settings(bytes data):
    """(ID, line, format, peers, models) of each EVAL, the files as (ID, path); None for any other document."""
    cdef CView view = CView(PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data))
    cdef CPlainSettings* settings = new CPlainSettings(view)
    cdef vector[CEval] evals
    cdef size_t at
    try:
        if not settings.read(evals):
            return None
    finally:
        del settings
    return [
        (_ascii(evals[at].id), evals[at].line, _ascii(evals[at].format), _files(evals[at].peers), _files(evals[at].models))
        for at in range(evals.size())
    ]


cdef vector[const CText*] _texts(list handles):
    cdef vector[const CText*] texts
    cdef Handle handle
    for handle in handles:
        texts.push_back(&handle.text)
    return texts


cdef vector[CUnit] _units(units):
    cdef vector[CUnit] made
    cdef CUnit unit
    for kind, number, unigrams, weight in units:
        unit.kind = kind
        unit.number = number
        unit.unigrams = unigrams
        unit.weight = weight
        made.push_back(unit)
    return made


cdef class Scorer:
    """Counts of peers against models, and ROUGE-1.5.5's scores of them, for all metrics of a run."""

    cdef vector[CUnit] units
    cdef CScoring* scoring

    def __cinit__(self, units, cbool best, double alpha):
        self.units = _units(units)
        self.scoring = new CScoring(self.units, best, alpha)

    def __dealloc__(self):
        del self.scoring

    def score(self, list models, list peers):
        """For each peer, what a Column keeps of the metrics, one after the other: eight doubles each."""
        cdef vector[const CText*] c_models = _texts(models), c_peers = _texts(peers)
        cdef vector[CRow] rows
        cdef size_t width = self.units.size(), peer
        with nogil:
            rows = self.scoring.rows(counted(c_models, c_peers, self.units), c_models.size(), c_peers.size())
        return [
            PyBytes_FromStringAndSize(<const char*> (rows.data() + peer * width), width * sizeof(CRow))
            for peer in range(c_peers.size())
        ]


def count(list models, list peers, list units):
    """(model, peer, match) per peer, per model, per unit, in this order."""
    cdef vector[const CText*] c_models = _texts(models), c_peers = _texts(peers)
    cdef vector[CUnit] c_units = _units(units)
    cdef vector[CCounts] found
    with nogil:
        found = counted(c_models, c_peers, c_units)
    return [(one.model, one.peer, one.match) for one in found]


cdef vector[double] _rows(columns, size_t size):
    """The columns, as rows one after the other."""
    cdef size_t width = len(columns), row, place
    cdef vector[double] rows
    rows.resize(size * width)
    for place, column in enumerate(columns):
        for row, value in enumerate(column):
            rows[row * width + place] = value
    return rows


def resampled_sums(columns, size_t times, uint32_t first):
    """For each column, the sums of its resampled values, one for every sample."""
    cdef size_t width = len(columns), size = len(columns[0]), column, sample
    cdef vector[double] rows = _rows(columns, size), sums
    with nogil:
        sums = resampled(rows, size, width, times, first)
    return [[sums[sample * width + column] for sample in range(times)] for column in range(width)]


def estimates(columns, size_t times, double samples, double confidence, uint32_t first):
    """For each column, the mean of its resampled means and their interval: (value, low, high)."""
    cdef size_t width = len(columns), size = len(columns[0]), column
    cdef vector[double] rows = _rows(columns, size), sums, ordered
    cdef vector[CInterval] found
    with nogil:
        sums = resampled(rows, size, width, times, first)
        for column in range(width):
            found.push_back(interval(sums, column, width, size, samples, confidence, ordered))
    return [(one.value, one.low, one.high) for one in found]


# What `Pairs` can count, besides n-grams of a positive length.
LONGEST, UNITED = CLONGEST, CUNITED


# A named tuple of a tuple, without the Python that its own constructor runs.
cdef object NEW = tuple.__new__


cdef class Pairs:
    """One string against another by Google's definition.

    words: the vocabulary. names, kinds: the types, and what they count: lengths of n-grams, LONGEST, UNITED.
    score_class: a named tuple of precision, recall and F. unmatched: from (name, model, peer, 0) to a score.
    """

    cdef CPairs pairs
    cdef Words words
    cdef list names
    cdef vector[int] kinds
    cdef object score_class, unmatched

    def __init__(self, Words words, names, kinds, score_class, unmatched):
        self.words = words
        self.names = list(names)
        self.kinds = kinds
        self.score_class = score_class
        self.unmatched = unmatched

    cdef void fill(self, CText& text, string) except *:
        """The string's tokens, and where the lines end that have any."""
        cdef const char* at
        cdef const char* line_end
        cdef size_t left, size, before
        cdef bytes kept
        if PyUnicode_IS_ASCII(string):
            at = <const char*> PyUnicode_1BYTE_DATA(string)
            left = PyUnicode_GET_LENGTH(string)
        else:
            kept = string.lower().encode("utf-8", "surrogatepass")  # two characters become ASCII by it
            at = PyBytes_AS_STRING(kept)
            left = PyBytes_GET_SIZE(kept)
        text.tokens.reserve(left // 4)
        while left:
            line_end = <const char*> memchr(at, b"\n", left)
            size = left if line_end == NULL else line_end - at
            before = text.tokens.size()
            self.words.append_bytes(text.tokens, at, size)
            if text.tokens.size() > before:
                text.ends.push_back(text.tokens.size())
            at += size
            left -= size
            if left:
                at += 1
                left -= 1

    def scores(self, target, prediction):
        """Type -> score; None for what is no string, and for texts that are too long for this way."""
        # Looking up words runs Python, and so may making objects, and so perhaps another thread that counts:
        # the texts are filled apart, from `start` on nothing runs but this, and then all is counted.
        cdef CText model, peer
        cdef vector[CCounts] found
        cdef int kind
        if not (isinstance(target, str) and isinstance(prediction, str)):
            return None
        self.fill(model, target)
        self.fill(peer, prediction)
        self.pairs.model.tokens.swap(model.tokens)
        self.pairs.model.ends.swap(model.ends)
        self.pairs.peer.tokens.swap(peer.tokens)
        self.pairs.peer.ends.swap(peer.ends)
        self.pairs.start()
        if not self.pairs.small():
            return None
        found.reserve(self.kinds.size())
        for kind in self.kinds:
            found.push_back(self.pairs.counts(kind))
        return {name: self.score(name, found[place]) for place, name in enumerate(self.names)}

    cdef object score(self, name, CCounts& counts):
        """Precision, recall and F."""
        if not counts.match:
            return self.unmatched(name, counts.model, counts.peer, 0)
        cdef double precision = counts.match / counts.peer, recall = counts.match / counts.model
        return NEW(self.score_class, (precision, recall, 2 * precision * recall / (precision + recall)))
