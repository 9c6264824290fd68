"""Lexicons: tags of words, WordNet, and synonyms.

Readable code: `brill` in `text/tagging.py`, the twin of `Tagger`; `part_of_speech` in
`data/wordnet.py`, of `WordNetPart`; `single_words` in `dialects/rouge2/counts.py`, of
`Synonyms`.
"""


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


cdef class Tagger:
    """The tagger of `text.tagging`, with its rules.

    likeliest: returns the likeliest tag of a word by itself. shares: returns the shares of its
    tags. around: how many places before and after a sentence rules look at, too.
    """

    cdef vector[CRule] rules
    # What rules require of a word: (tag, the share that it must exceed) -> its index
    cdef dict required
    cdef dict numbers  # of tags and words
    cdef dict words  # word -> its index in `known`
    cdef cppdeque[CWordTags] known
    cdef CWordTags before, after  # the places around a sentence
    cdef object likeliest, shares
    cdef size_t around

    def __init__(self, rules, likeliest, shares, around):
        cdef CRule made
        cdef CCondition condition
        self.likeliest, self.shares, self.around = likeliest, shares, around
        self.numbers, self.words, self.required = {}, {}, {}
        for rule in rules:
            made.old_tag, made.tag = self.number(rule.old), self.number(rule.tag)
            made.requirement = self.required.setdefault(
                (rule.listed, rule.share), len(self.required)
            )
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
            made.tag = self.number(self.likeliest(word))
            made.word = self.numbers.get(word.lower(), -1)
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
    """Counts single words that match equal words and synonyms, as `Units` in
    `dialects.rouge2.counts`.

    of: form -> its synonyms. expand: the texts whose words are expanded, or both. most_forms:
    begin anew beyond it.
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
        """Return the numbers of forms of both texts, which are given line by line, and of
        matches.
        """
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
        matches = self.matching.count(
            of_reference, of_prediction, self.of_predictions, self.of_references
        )
        return of_reference.size(), of_prediction.size(), matches

    cdef void read(self, lines, vector[int32_t]& ids) except *:
        cdef unordered_map[size_t, int32_t].iterator known
        ids.clear()
        for line in lines:
            for form in line:
                known = self.ids.find(<size_t> <void*> form)
                ids.push_back(
                    self.add(form) if known == self.ids.end() else dereference(known).second
                )

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
