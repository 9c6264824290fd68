"""Words: the vocabulary of a thread, and what makes words of texts and forms of words.

Readable code: `text/tokens.py` and `text/reading.py`; `text/stemmers.py` has the twin of
`stem`.
"""


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


cdef extern from "porter.hpp" namespace "rouge" nogil:
    string porter_stem(CView) except +
    string nltk_stem(CView) except +


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
        cbool like_nltk

    cppclass CWordForms "rouge::WordForms":
        CWordForms(const CFormRules&, CVocabulary&) except +
        size_t size()


cdef class Words:
    """The vocabulary of a program: raw token -> id of its counted form.

    normalize: a `native.Normalizer` or None. Python is asked for the forms of words only if the
    stemmer is not ROUGE's own. reading: a `native.ReadingRules`. others: words of the same
    set-up, whose word lists are shared. stems_references: keep the words themselves, and their
    stems beside them.
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
            self.questions = (
                reading.tokenize,
                None if mark else reading.split,
                reading.normalize,
                reading.lines,
                form,
            )
        else:
            self.stop, self.irregular = others.stop, others.irregular
            self.rules, self.questions = others.rules, others.questions
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
        # Not as a member, which could not report too little memory
        self.vocabulary = make_unique[CVocabulary]()
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
        if getattr(stem, "is_of_nltk", False) and not normalize.stop:
            self.rules.like_nltk, self.rules.shortest = True, stem.shortest
            return True
        if stem is not None and not hasattr(stem, "own"):
            return False
        self.stop = _word_list(dict.fromkeys(normalize.stop, b""))
        self.irregular = _word_list({}) if stem is None else _word_list(stem.own, stem.release)
        if self.stop == NULL or self.irregular == NULL:
            return False
        self.rules.stop_words = dereference(self.stop).list()
        self.rules.irregular_forms = dereference(self.irregular).list()
        self.rules.shortest = normalize.shortest
        return True

    cdef void check(self) except *:
        """Raise what a function of Python's raised, if it did."""
        error, self.error = self.error, None
        if error is not None:
            raise error


cdef shared_ptr[COwnWordList] release  # the package's irregular forms, once they are read


cdef shared_ptr[COwnWordList] _word_list(forms, read=None) except *:
    """Return word -> value as a list, None for the package's irregular forms; null if there is
    a word that lines cannot hold.

    read: returns the lines of the package's forms.
    """
    global release
    cdef bytes lines
    cdef string copied
    cdef shared_ptr[COwnWordList] made
    if forms is None and release != NULL:
        return release
    lines = read() if forms is None else b"".join([b"%b\t%b\n" % item for item in forms.items()])
    if forms is not None and (
        b"\0" in lines or not lines.count(b"\t") == len(forms) == lines.count(b"\n")
    ):
        return made
    copied.assign(PyBytes_AS_STRING(lines), <size_t> PyBytes_GET_SIZE(lines))
    made = make_shared[COwnWordList](move(copied))
    if forms is None:
        release = made
    return made


cdef cbool ask(
    void* owner, int question, const char* data, size_t size, vector[string]& answers
) noexcept with gil:
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


def stem_as_nltk(str word not None):
    """Return nltk's stem of a word in ASCII."""
    cdef bytes letters = word.encode("ascii")  # kept while it is viewed
    cdef string stemmed = nltk_stem(_view(letters))
    return PyUnicode_DecodeASCII(stemmed.data(), stemmed.size(), NULL)
