# distutils: language = c++
# cython: language_level=3, boundscheck=False, wraparound=False, auto_pickle=False, binding=False
"""The extension module: the Python interface of the headers in this folder.

Each page of `glue` serves one purpose, and begins with its readable code. The pages are one
module, since each module would compile Cython's own code once more. The types are in
`_compiled.pyi`.
"""

import sys
from array import array
from time import monotonic, sleep

from cpython.buffer cimport PyBUF_C_CONTIGUOUS, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.unicode cimport PyUnicode_DecodeASCII, PyUnicode_GET_LENGTH
from cython.operator cimport dereference
from libc.math cimport nearbyint
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy
from libcpp cimport bool as cbool
from libcpp.deque cimport deque as cppdeque
from libcpp.memory cimport make_shared, make_unique, shared_ptr, unique_ptr
from libcpp.string cimport string
from libcpp.unordered_map cimport unordered_map
from libcpp.utility cimport move, pair
from libcpp.vector cimport vector


cdef extern from "exact.hpp" namespace "rouge" nogil:
    const char* inexact_arithmetic()


if inexact_arithmetic() != NULL:
    flags = inexact_arithmetic().decode()
    raise ImportError(f"it was compiled with flags that change scores ({flags})")

# A page uses those above it.
include "glue/objects.pxi"
include "glue/words.pxi"
include "glue/counting.pxi"
include "glue/readers.pxi"
include "glue/runs.pxi"
include "glue/lexicons.pxi"
include "glue/statistics.pxi"
include "glue/timelines.pxi"
include "glue/similar.pxi"
