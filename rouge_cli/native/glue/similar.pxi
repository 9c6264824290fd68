"""Similar texts: the pairs of texts whose score reaches a threshold.

Readable code: `joined` and `kept` in `jobs/join.py`, which are the twins.
"""


cdef extern from "similar.hpp" namespace "rouge" nogil:
    cppclass CSimilarPair "rouge::SimilarPair":
        uint32_t first, second
        double score

    cppclass CFlatTexts "rouge::FlatTexts":
        vector[int32_t] words
        vector[size_t] ends
        vector[size_t] last

    cppclass CSimilar "rouge::Similar":
        CSimilar(const CSpec&, unique_ptr[CScoring], size_t, double) except +
        void keep_in_order()
        void start(CFlatTexts&&, CFlatTexts&&, cbool) except +
        void find(size_t, size_t, size_t, vector[CSimilarPair]&) except +
        void keep(size_t, size_t, vector[uint32_t]&) except +


cdef void _flat_texts(CFlatTexts& flat, texts) except *:
    """Copy the arrays of a `jobs.texts.FlatTexts`."""
    cdef const int32_t* words = <const int32_t*> _contents(texts.words)
    cdef const int64_t* ends = <const int64_t*> _contents(texts.ends)
    cdef const int64_t* last = <const int64_t*> _contents(texts.last)
    flat.words.assign(words, words + <size_t> len(texts.words))
    flat.ends.assign(ends, ends + <size_t> len(texts.ends))
    flat.last.assign(last, last + <size_t> len(texts.last))


cdef const void* _contents(array) except? NULL:
    """Return what a contiguous array holds, which the caller keeps."""
    cdef Py_buffer view
    PyObject_GetBuffer(array, &view, PyBUF_C_CONTIGUOUS)
    PyBuffer_Release(&view)
    return view.buf


cdef class Similar:
    """The similar pairs of texts, or the texts that are like none before them.

    spec: the kernel of the metric. way: how its counts become a score; None for
    ROUGE-1.5.5's formulas with this alpha. figure: the place of the measure in `core.Score`.
    others: the texts to compare with; None for the texts themselves. in_order: `keep` will be
    called, not `find`.
    """

    cdef unique_ptr[CSimilar] similar

    def __init__(
        self, spec, way, double alpha, size_t figure, double threshold, texts, others, bint in_order
    ):
        cdef unique_ptr[CScoring] scoring
        cdef vector[CSpec] specs = _specs([spec])
        cdef CFlatTexts flat, flat_others
        cdef bint has_others = others is not None
        if way:
            several, f, constant = way
            scoring.reset(new CPlain(SEVERAL.index(several), MEASURES.index(f), constant))
        else:
            scoring.reset(new CRouge155(False, alpha, True))
        self.similar = make_unique[CSimilar](specs[0], move(scoring), figure, threshold)
        if in_order:
            dereference(self.similar).keep_in_order()
        _flat_texts(flat, texts)
        if has_others:
            _flat_texts(flat_others, others)
        with nogil:
            dereference(self.similar).start(move(flat), move(flat_others), has_others)

    def find(self, size_t start, size_t end, size_t threads):
        """Return the pairs of the texts from one position to another."""
        cdef vector[CSimilarPair] pairs
        cdef size_t place
        cdef list found = []
        with nogil:
            dereference(self.similar).find(start, end, threads, pairs)
        for place in range(pairs.size()):
            pair = (pairs[place].first, pairs[place].second, pairs[place].score)
            _spare_collector(pair)
            found.append(pair)
        return found

    def keep(self, size_t start, size_t end):
        """Return which positions from one to another are kept; they are asked for in order."""
        cdef vector[uint32_t] kept
        cdef size_t place
        with nogil:
            dereference(self.similar).keep(start, end, kept)
        return [kept[place] for place in range(kept.size())]
