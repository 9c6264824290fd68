"""Timelines: the alignment of days.

Readable code: `align_days` and `one_to_one` in `dialects/tilse/counts.py`, which are the
twins.
"""


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


cdef void _days(CDays& days, side, dict numbers) except *:
    """Fill the days, and number their words."""
    cdef size_t place
    dates, words = side
    days.words.resize(len(dates))
    for place, (date, counters) in enumerate(zip(dates, words)):
        days.dates.push_back(date.toordinal())
        for counter in counters:
            for word, frequency in counter.items():
                days.words[place].push_back(
                    pair[size_t, int64_t](numbers.setdefault(word, len(numbers)), frequency)
                )


def align_days(predicted, references, size_t times, *, bint many):
    """Return the aligned days, as (predicted day, day of the references, cost): for precision,
    and for recall.

    A side is its dates, and for each the frequencies of its words in each timeline that has it.
    times: the number of references; 0 if costs depend on dates only. many: whether several days
    may share one.
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
    cdef list links = []
    cdef size_t place, row, column
    for place in range(pairs.size()):
        row, column = pairs[place].first, pairs[place].second
        links.append((row, column, costs.at(row, column)))
    return links


def one_to_one(costs):
    """Return the pairs of least total cost of a matrix, sorted by row."""
    cdef size_t row, column
    cdef unique_ptr[CCosts] matrix = make_unique[CCosts](
        <size_t> len(costs), <size_t> (len(costs[0]) if costs else 0)
    )
    for row, values in enumerate(costs):
        for column, value in enumerate(values):
            (&dereference(matrix).at(row, column))[0] = value
    return assigned(dereference(matrix))
