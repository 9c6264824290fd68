"""Readers: evals of plain inputs, whose texts stay in C++ until they are scored.

Readable code, of which each has its twin here: `tasks/kinds/settings.py`,
`tasks/records.py`, `tasks/lines.py` and `tasks/containers.py`. A reader stops before what
is not plain. `native/inputs.py` calls them.
"""


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
    cppclass COrigin "rouge::Origin":
        uint32_t file
        size_t line

    cppclass CPlainTexts "rouge::PlainTexts":
        size_t predictions
        cbool have_ids
        vector[size_t] lines
        vector[uint32_t] systems
        vector[COrigin] origins
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


cdef extern from "names.hpp" namespace "rouge" nogil:
    cppclass CNames "rouge::Names":
        vector[string] all()


cdef extern from "grouping.hpp" namespace "rouge" nogil:
    cppclass CRecordGroups "rouge::RecordGroups":
        CRecordGroups(cbool, cbool)
        void start_file()
        cbool add(const CPlainTexts&, const vector[uint32_t]&, const vector[uint32_t]&) except +
        size_t size()
        vector[uint32_t] copy(size_t, size_t, CPlainTexts&) except +


cdef extern from "records.hpp" namespace "rouge" nogil:
    cppclass CPlainRecords "rouge::PlainRecords":
        CPlainRecords(CView, CView, CView, CView, cbool)
        const CNames& systems()
        size_t read(CView, size_t, size_t&, CPlainTexts&) except +


cdef extern from "delimited.hpp" namespace "rouge" nogil:
    cppclass CPlainTable "rouge::PlainTable":
        CPlainTable(char, size_t, size_t, vector[size_t], size_t, size_t)
        const CNames& systems()
        cbool has_names()
        cbool is_incomplete()
        size_t read(CView, size_t, size_t&, CPlainTexts&) except +


cdef extern from "names.hpp" namespace "rouge" nogil:
    cppclass COwnNames "rouge::Names"(CNames):
        pass


cdef extern from "columns.hpp" namespace "rouge" nogil:
    cppclass CValidity "rouge::Validity":
        const uint8_t* bits

    cppclass COffsets "rouge::Offsets":
        const void* places
        cbool are_long

    cppclass CStringArray "rouge::StringArray":
        CValidity validity
        COffsets offsets
        const char* bytes
        size_t start

    cppclass CTextColumn "rouge::TextColumn":
        CStringArray strings
        cbool has_dictionary, has_lists
        CValidity index_validity, list_validity
        const int32_t* indices
        size_t index_start, list_start
        COffsets list_offsets

    cppclass CTextColumns "rouge::TextColumns":
        vector[CTextColumn] names
        cbool have_ids, have_systems
        CTextColumn prediction
        vector[CTextColumn] references
        size_t read(size_t, size_t, size_t, COwnNames&, CPlainTexts&) except +


cdef extern from "lines.hpp" namespace "rouge" nogil:
    vector[size_t] read_lines(const vector[CView]&, size_t, CPlainTexts&) except +


cdef enum:
    PACKED_TOGETHER = 1000  # evals of strings


def plain_settings(bytes data not None, str path not None, formats, eval_task):
    """Return the evals of a document of the plainest kind; None for any other, or if something
    is to be reported.

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
            system = _ascii(evals[at].predictions[file].first)
            predictions[system] = _ascii(evals[at].predictions[file].second)
        for file in range(evals[at].references.size()):
            reference_id = _ascii(evals[at].references[file].first)
            references.append((reference_id, _ascii(evals[at].references[file].second)))
        names.add(name)
        where = f"{path}:{evals[at].line}"
        tasks.append(NEW(eval_task, (name, predictions, references, input_format, where, None)))
        if len(references) > 1 and len(dict(references)) < len(references):
            return None
        if <size_t> len(predictions) < evals[at].predictions.size() or len(names) < len(tasks):
            return None
    return tasks


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
        """Return the evals with the predictions of other texts after their own, up to one
        of another line, ID or reference.

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
        """Add evals of strings: the list of each system, and for each eval a string, or a
        list or tuple of strings.

        Return False if there is something else in place of a string, or of an ID that can
        be encoded; the evals are of no use then.
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

    def system(self, size_t place):
        """Return the number of a record's system among those that records name."""
        return self.texts.systems[place]

    def systems(self):
        """Return the number of each record's system; empty if records do not name theirs."""
        return self.texts.systems

    def origins(self, size_t place):
        """Return the number of the file, and the line, of an eval and of each of its
        predictions.
        """
        cdef size_t width = 1 + self.texts.predictions, number
        return [
            (self.texts.origins[number].file, self.texts.origins[number].line)
            for number in range(place * width, (place + 1) * width)
        ]

    @property
    def have_ids(self):
        """Whether evals have IDs of their own."""
        return self.texts.have_ids

    def row(self, size_t place):
        """Return the values of an eval: its ID, if it has one, its predictions and its
        references.
        """
        cdef size_t number
        return [
            _bytes(self.texts.value(number))
            for number in range(self.texts.first(place), self.texts.first(place + 1))
        ]


def plain_texts(lines, bint have_ids, size_t predictions, rows, origins=()):
    """Return the texts with these rows.

    origins: file and line of each eval and of its predictions, for all evals.
    """
    cdef PlainTexts texts = PlainTexts.__new__(PlainTexts)
    cdef COrigin origin
    for file, line in origins:
        origin.file, origin.line = file, line
        texts.texts.origins.push_back(origin)
    texts.texts.have_ids, texts.texts.predictions = have_ids, predictions
    for line, row in zip(lines, rows):
        for value in row:
            texts.texts.add(_view(value))
        texts.texts.end(line)
    return texts


cdef class RecordGroups:
    """Groups records to evals, by ID or by their numbers in a file."""

    cdef unique_ptr[CRecordGroups] groups
    cdef list kept  # the texts that are referred to

    def __init__(self, *, bint have_ids, bint apart):
        self.groups = make_unique[CRecordGroups](<cbool> have_ids, <cbool> apart)
        self.kept = []

    def __len__(self):
        return dereference(self.groups).size()

    def start_file(self):
        """Number the records of systems anew."""
        dereference(self.groups).start_file()

    def add(self, PlainTexts texts not None, files, systems):
        """Add records; return False if one is not of an eval with the same references, or its
        system is there already.

        files: the number of the file of each prediction. systems: that of its system, or of
        those that records name.
        """
        cdef vector[uint32_t] numbers = systems, numbers_of_files = files
        cdef cbool is_added
        self.kept.append(texts)
        with nogil:
            is_added = dereference(self.groups).add(texts.texts, numbers_of_files, numbers)
        return is_added

    def copy(self, size_t start, size_t most):
        """Return evals of the same systems, from a place on, and the numbers of the systems."""
        cdef PlainTexts texts = PlainTexts.__new__(PlainTexts)
        cdef vector[uint32_t] systems
        with nogil:
            systems = dereference(self.groups).copy(start, most, texts.texts)
        return texts, systems


cdef list _names(const CNames& names):
    """Return the names in order."""
    cdef vector[string] names_by_number = names.all()
    return [name.decode() for name in names_by_number]


cdef class PlainRecords:
    """Reads lines of jsonl with a string in the prediction's column, and a string or a list of
    strings in the references'.

    eval_id, system: the columns of IDs and of systems; empty if there is none. reads_lists:
    True if a list holds several references.
    """

    cdef unique_ptr[CPlainRecords] records

    def __init__(
        self,
        str prediction not None,
        str reference not None,
        str eval_id not None,
        str system not None="",
        *,
        bint reads_lists,
    ):
        columns = prediction, reference, eval_id, system
        names = [name.encode("utf-8", "surrogatepass") for name in columns]
        self.records = make_unique[CPlainRecords](
            _view(names[0]), _view(names[1]), _view(names[2]), _view(names[3]), <cbool> reads_lists
        )

    def systems(self):
        """Return the systems of the lines that were read, by number."""
        return _names(dereference(self.records).systems())

    def read(self, bytes block not None, size_t start, size_t number):
        """Read a block's lines from an offset on, the number of whose line is given, up to
        one of another kind.

        Return the texts, and offset and number of the line after them.
        """
        cdef PlainTexts texts = PlainTexts.__new__(PlainTexts)
        cdef CView view = _view(block)
        with nogil:
            start = dereference(self.records).read(view, start, number, texts.texts)
        return texts, start, number


cdef class PlainTable:
    """Reads rows of a table with a prediction's text, texts of references, and perhaps an ID.

    columns: how many there are. prediction, references, eval_id, system: places of columns;
    eval_id and system are `columns` if there is none.
    """

    cdef unique_ptr[CPlainTable] table

    def __init__(
        self,
        str delimiter not None,
        size_t columns,
        size_t prediction,
        references,
        size_t eval_id,
        system=None,
    ):
        cdef vector[size_t] places
        cdef size_t place
        for place in references:
            places.push_back(place)
        self.table = make_unique[CPlainTable](
            <char> ord(delimiter),
            columns,
            prediction,
            places,
            eval_id,
            <size_t> (columns if system is None else system),
        )

    def systems(self):
        """Return the systems of the rows that were read, by number."""
        return _names(dereference(self.table).systems())

    @property
    def has_names(self):
        """Whether the row of names has been read."""
        return dereference(self.table).has_names()

    @property
    def is_incomplete(self):
        """Whether the last row that was read ends inside quotes."""
        return dereference(self.table).is_incomplete()

    def read(self, bytes block not None, size_t start, size_t number):
        """Read a block's rows from an offset on, the number of whose line is given, up to
        one that is not plain.

        The table's first row, of names, is skipped. Return the texts, and offset and number
        of the line after them.
        """
        cdef PlainTexts texts = PlainTexts.__new__(PlainTexts)
        cdef CView view = _view(block)
        with nogil:
            start = dereference(self.table).read(view, start, number, texts.texts)
        return texts, start, number


cdef const void* _address(buffer) except? NULL:
    """Return where a buffer of Arrow begins; NULL without one."""
    cdef size_t address = 0 if buffer is None else buffer.address
    return <const void*> address


cdef CTextColumn _text_column(array) except *:
    """Return an array of Arrow: strings, or lists of strings, plain or in a dictionary."""
    cdef CTextColumn column
    if hasattr(array, "values"):  # of lists
        validity, offsets = array.buffers()[:2]
        column.has_lists = True
        column.list_validity.bits = <const uint8_t*> _address(validity)
        column.list_offsets.places = _address(offsets)
        column.list_offsets.are_long = str(array.type).startswith("large_list")
        column.list_start = array.offset
        array = array.values
    if hasattr(array, "dictionary"):
        validity, indices = array.buffers()[:2]
        column.has_dictionary = True
        column.index_validity.bits = <const uint8_t*> _address(validity)
        column.indices = <const int32_t*> _address(indices)
        column.index_start = array.offset
        array = array.dictionary
    validity, offsets, data = array.buffers()
    column.strings.validity.bits = <const uint8_t*> _address(validity)
    column.strings.offsets.places = _address(offsets)
    column.strings.offsets.are_long = str(array.type) == "large_string"
    column.strings.bytes = <const char*> _address(data)
    column.strings.start = array.offset
    return column


cdef class PlainColumns:
    """Reads batches of Arrow whose columns are texts."""

    cdef COwnNames names

    def systems(self):
        """Return the systems of the rows that were read, by number."""
        return _names(self.names)

    def read(self, prediction, references, eval_id, system, size_t row, size_t number):
        """Read rows from one on, up to one in which a text is missing.

        prediction, references, eval_id, system: arrays, the last two None if there are none.
        number: that of the first row of the arrays.

        Return the texts, and the row after them.
        """
        cdef PlainTexts texts = PlainTexts.__new__(PlainTexts)
        cdef CTextColumns columns
        cdef size_t rows = len(prediction)
        columns.prediction = _text_column(prediction)
        for array in references:
            columns.references.push_back(_text_column(array))
        columns.have_ids, columns.have_systems = eval_id is not None, system is not None
        for array in (eval_id, system):
            if array is not None:
                columns.names.push_back(_text_column(array))
        with nogil:
            row = columns.read(row, rows, number, self.names, texts.texts)
        return texts, row


def plain_lines(blocks, size_t number, size_t predictions):
    """Read the lines that all blocks have, the first of which has that number, up to MOST_EVALS
    of them.

    A block is the texts of a file: the first `predictions` ones of predictions, the others of
    references. Return the texts, and the offsets after them.
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
