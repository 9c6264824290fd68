"""What all pages share: views of Python's objects, copies of C++'s strings, and turns for
other threads.

Cython's own conversions of objects to strings and vectors copy them where nothing catches
std::bad_alloc: bytes are passed as views, and vectors are filled here.
"""


cdef extern from "Python.h":
    int PY_VERSION_HEX
    bint PyUnicode_IS_ASCII(object)
    void* PyUnicode_DATA(object)
    int PyUnicode_KIND(object)
    bytes PyUnicode_EncodeFSDefault(object)
    void PyObject_GC_UnTrack(void*)
    void PyObject_GC_Track(void*)


cdef extern from "<string_view>" nogil:
    cppclass CView "std::string_view":
        CView()
        CView(const char*, size_t)
        const char* data()
        size_t size()


cdef extern from "strings.hpp" namespace "rouge" nogil:
    cppclass CCharacters "rouge::Characters":
        const void* data
        size_t size
        int width
        cbool are_ascii


cdef enum:
    TOGETHER = 200  # pairs of a batch in one part: some milliseconds
    LONG = 16384  # characters that are read, and freed, without the GIL


cdef CView _view(bytes data):
    return CView(PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data))


cdef CCharacters _characters(text):
    """Return the characters of a string, which the caller keeps."""
    cdef CCharacters characters
    characters.data, characters.size = PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text)
    characters.width, characters.are_ascii = PyUnicode_KIND(text), PyUnicode_IS_ASCII(text)
    return characters


cdef string _string(bytes data) except *:
    cdef string copied
    copied.assign(PyBytes_AS_STRING(data), <size_t> PyBytes_GET_SIZE(data))
    return copied


cdef str _ascii(CView view):
    return PyUnicode_DecodeASCII(view.data(), view.size(), NULL)


cdef bytes _bytes(CView view):
    return PyBytes_FromStringAndSize(view.data(), view.size())


cdef double* _numbers(array) except NULL:
    """Return the doubles of a contiguous array, which the caller keeps."""
    cdef Py_buffer view
    PyObject_GetBuffer(array, &view, PyBUF_C_CONTIGUOUS)
    PyBuffer_Release(&view)
    return <double*> view.buf


cdef double _give_turn(double since) except -1:
    """Let other threads run, if they have waited since a time for 4 ms; return since when they
    wait.
    """
    cdef double now = monotonic()
    if now < since + 4e-3:
        return since
    if len(sys._current_frames()) > 1:
        sleep(50e-6)  # unless the GIL is free for so long, no other thread wakes in time to take it
    return monotonic()


cdef void _spare_collector(container):
    """Tell the garbage collector that a new tuple, dictionary or list is in no cycle.

    It holds figures and strings only, or containers of them. With thousands of them the
    collector would do little else than look at them again and again, while all threads
    wait: a batch of 20,000 pairs takes 40 % longer, and so do single scores that are kept.
    """
    PyObject_GC_UnTrack(<void*> container)


# A named tuple made from a tuple, which avoids its own constructor in Python.
cdef object NEW = tuple.__new__
