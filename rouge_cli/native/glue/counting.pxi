"""Counting: metrics of texts that Python has read, and whole pairs of strings.

Readable code: `count_all` in `metrics/__init__.py`, the twin of `count`; `RougeScorer` in
`dialects/google/rouge_scorer.py`, the twin of `Pairs`.
"""


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


cdef extern from "counting.hpp" namespace "rouge" nogil:
    cppclass CCounting "rouge::Counting":
        CCounting() except +

    void count_evals(
        CCounting&, const vector[CText]&, size_t, size_t, const vector[CSpec]&, vector[CCounts]&
    ) except +
    void count_pairs(
        CCounting&, CVocabulary&, const vector[CCharacters]&, const vector[CSpec]&, vector[CCounts]&
    ) except +


cdef vector[CSpec] _specs(specs):
    cdef vector[CSpec] made
    cdef CSpec spec
    for spec.kind, spec.number, spec.unigrams, spec.weight in specs:
        made.push_back(spec)
    return move(made)


cdef class Pairs:
    """Pairs of strings by Google's definition, without tasks. Several threads may score at once.

    most_forms: a vocabulary that has grown beyond it is used no more. score_class: a named
    tuple of precision, recall and F. unmatched: makes a score of (name, reference, prediction).
    """

    cdef object reading, normalize
    cdef size_t most_forms
    # Vocabularies: a call takes one, so that no thread waits for another, and Python that is
    # asked may come back
    cdef list unused
    cdef unique_ptr[CCounting] counting  # of single pairs
    cdef vector[CSpec] specs
    cdef list names
    cdef type score_class
    cdef list unmatched  # of each name: the score if a text is empty, and otherwise

    def __init__(
        self,
        reading,
        normalize,
        size_t most_forms,
        names,
        specs,
        type score_class not None,
        unmatched,
    ):
        self.reading, self.normalize, self.most_forms = reading, normalize, most_forms
        self.unused = []
        self.names = list(names)
        self.specs = _specs(specs)
        self.score_class = score_class
        self.unmatched = [
            (unmatched(name, 0.0, 0.0), unmatched(name, 1.0, 1.0)) for name in self.names
        ]

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
        """Return the scores of each prediction against the target in the same place; other
        threads run between parts.

        None if a text is no string, or if the lengths differ.
        """
        cdef vector[CCharacters] strings
        cdef vector[CCounts] counts
        cdef size_t start, pair, number
        cdef list scores
        cdef double since
        if len(targets) == len(predictions) == 1:
            if type(targets[0]) is str and type(predictions[0]) is str:
                return [self.score_pair(targets[0], predictions[0])]
        # Other threads may change the lists
        scores, targets, predictions = [], targets.copy(), predictions.copy()
        number = len(targets)
        if number != <size_t> len(predictions):
            return None
        for of_side in (scores, targets, predictions):
            _spare_collector(of_side)
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
        PyObject_GC_Track(<void*> scores)  # the caller may add to it what is in a cycle
        return scores

    cdef void count(
        self, const vector[CCharacters]& strings, bint at_once, vector[CCounts]& counts
    ) except *:
        """Count pairs of strings, which the caller keeps: a single pair at once, and others
        without the GIL.
        """
        cdef unique_ptr[CCounting] counting
        cdef Words words = self.unused.pop() if self.unused else Words(self.reading, self.normalize)
        try:
            if at_once:
                count_pairs(
                    dereference(self.counting),
                    dereference(words.vocabulary),
                    strings,
                    self.specs,
                    counts,
                )
            else:
                with nogil:
                    counting = make_unique[CCounting]()
                    count_pairs(
                        dereference(counting),
                        dereference(words.vocabulary),
                        strings,
                        self.specs,
                        counts,
                    )
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
        # Before Python 3.14 a dictionary is tracked again when anything else is put into it.
        if PY_VERSION_HEX < 0x030E0000:
            _spare_collector(scores)
        return scores

    cdef object one_score(self, size_t metric, const CCounts& counts):
        """Return precision, recall and F."""
        if not counts.match:
            empty, others = self.unmatched[metric]
            return others if counts.reference and counts.prediction else empty
        cdef double precision = counts.match / counts.prediction
        cdef double recall = counts.match / counts.reference
        cdef tuple figures = (precision, recall, 2 * precision * recall / (precision + recall))
        score = NEW(self.score_class, figures)
        _spare_collector(score)
        return score


cdef CCounting counting  # for `count`, whose tables of a large vocabulary are made once


def count(references, predictions, specs):
    """Return (reference, prediction, match) per prediction, per reference and per spec. A text
    is (tokens, sentences) of ids.
    """
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
    return [
        _as_tuple(counts[place], c_specs[place % c_specs.size()].kind)
        for place in range(counts.size())
    ]


cdef void _add_ids(vector[int32_t]& ids, tokens) except *:
    for token in tokens:
        ids.push_back(token)


cdef tuple _as_tuple(CCounts& counts, int kind):
    """Return counts as Python's metrics have them: whole numbers, but weights as floats."""
    if kind == WEIGHTED_LCS:
        return counts.reference, counts.prediction, counts.match
    return <int64_t> counts.reference, <int64_t> counts.prediction, <int64_t> counts.match
