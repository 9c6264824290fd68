"""Statistics: resampling, random draws, and correlations.

Readable code: `scoring/bootstrap.py` (`resampled_sums`, `estimates`),
`scoring/poisson.py` (`poisson_keys`, `add_draws`), `dialects/google/scoring.py`
(`resampled_means`), `studies/draws.py` (`Draws`) and `studies/coefficients.py`
(`correlate_pooled`, `correlate_within_evals`).
"""


cdef extern from "resampling.hpp" namespace "rouge" nogil:
    cppclass CInterval "rouge::Interval":
        double value
        double low
        double high

    vector[double] resampled(
        const vector[double]&, size_t, size_t, size_t, uint32_t, size_t
    ) except +
    vector[CInterval] intervals(
        const vector[double]&, size_t, size_t, double, double, size_t
    ) except +
    vector[CInterval] intervals_of_one(const vector[double]&, size_t, double, double) except +

    cppclass CTwister "rouge::MersenneTwister":
        CTwister(const uint32_t*, size_t)
        const uint32_t* state()
        size_t next()

    vector[double] means_of_samples "rouge::resampled_means"(
        const vector[double]&, size_t, size_t, CTwister&
    ) except +


cdef extern from "poisson.hpp" namespace "rouge" nogil:
    uint64_t key_of(const char*, size_t, uint64_t)

    cppclass CPoissonSums "rouge::PoissonSums":
        CPoissonSums(const uint16_t*, const vector[uint64_t]&, const vector[double]&)
        cbool fits()
        void add(int64_t*, size_t) except +


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
        void correlate(
            CCoefficient, const double*, size_t, const double*, size_t, size_t, double*
        ) except +

    void within_evals(
        CCoefficient,
        const double*,
        const double*,
        const double*,
        size_t,
        const double*,
        size_t,
        size_t,
        double*,
    ) except +


cdef enum:
    STATE = 624 * 4  # bytes of a Mersenne Twister


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


def resampled_sums(columns, size_t times, uint32_t first, size_t jobs):
    """Return, for each column, the sums of its resampled values, one for every sample."""
    cdef size_t width = len(columns), size = len(columns[0]), column, sample
    cdef vector[double] rows = _rows(columns, size), sums
    with nogil:
        sums = resampled(rows, size, width, times, first, jobs)
    return [[sums[sample * width + column] for sample in range(times)] for column in range(width)]


def estimates(
    columns, size_t times, double samples, double confidence, uint32_t first, size_t jobs
):
    """Return, for each column, the mean of its resampled means and their interval: (value, low,
    high).
    """
    cdef size_t width = len(columns), size = len(columns[0])
    cdef vector[double] rows = _rows(columns, size)
    cdef vector[CInterval] estimated
    with nogil:
        if size == 1:
            estimated = intervals_of_one(rows, times, samples, confidence)
        else:
            estimated = intervals(
                resampled(rows, size, width, times, first, jobs),
                width,
                size,
                samples,
                confidence,
                jobs,
            )
    return [(interval.value, interval.low, interval.high) for interval in estimated]


def poisson_keys(list ids not None, uint64_t seed):
    """Return the states from which evals draw, as 64 bits each."""
    cdef size_t place, size = len(ids)
    cdef bytes name
    keys = array("Q", bytes(size * sizeof(uint64_t)))
    cdef uint64_t* words = <uint64_t*> _numbers(keys)
    for place, eval_id in enumerate(ids):
        name = eval_id.encode("utf-8", "surrogatepass")
        words[place] = key_of(PyBytes_AS_STRING(name), PyBytes_GET_SIZE(name), seed)
    return keys


def add_draws(sums, keys, columns, double units, limits):
    """Add evals to the sums of each sample; return False for numbers that need more than 53 bits.

    sums: 64 bits each; see `scoring/poisson.py`. limits: eight numbers of 16 bits.
    """
    cdef size_t place, column, size = len(keys), width = len(columns)
    cdef size_t samples = len(sums) // (1 + width)
    cdef vector[uint64_t] words
    cdef vector[double] numbers
    cdef const double* values
    cdef const uint64_t* key = <const uint64_t*> _numbers(keys)
    cdef const uint16_t* least = <const uint16_t*> _numbers(limits)
    cdef int64_t* totals = <int64_t*> _numbers(sums)
    cdef unique_ptr[CPoissonSums] added
    words.assign(key, key + size)
    numbers.resize(size * width)
    for column in range(width):
        values = _numbers(columns[column])
        if len(columns[column]) != size:
            raise ValueError("columns of another length")
        for place in range(size):
            numbers[column * size + place] = nearbyint(values[place] * units)
    added = make_unique[CPoissonSums](least, words, numbers)
    if not dereference(added).fits():
        return False
    with nogil:
        dereference(added).add(totals, samples)
    return True


def resampled_means(rows, size_t width, size_t samples, bytes key not None, size_t place):
    """Return, for each sample, the means of rows drawn with replacement, as
    numpy.random.RandomState.choice draws for rouge_score.

    rows: `width` numbers to a row. key, place: the state of the generator, as in
    RandomState.get_state(); the key and the place that the draws leave are returned after the
    means.
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
        cdef COccurrences occurrences = COccurrences(
            <const uint16_t*> _numbers(numbers), len(numbers), _numbers(chances)
        )
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


cdef CCoefficient _coefficient(str name):
    if name == "pearson":
        return CCoefficient.PEARSON
    return CCoefficient.SPEARMAN if name == "spearman" else CCoefficient.KENDALL


def correlate_pooled(str coefficient, x, y, systems, evals, found):
    """Fill an array with the correlation of all summaries in each sample.

    x, y: systems x evals, nan if missing. systems, evals: how often each sample has them.
    """
    cdef const double* of_x = _numbers(x)
    cdef const double* of_y = _numbers(y)
    cdef const double* of_systems = _numbers(systems)
    cdef const double* of_evals = _numbers(evals)
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
    """Fill an array with the mean of the correlations within evals in each sample, nan if all
    are undefined.

    x, y: systems x evals, nan if missing. systems, evals: how often each sample has them.
    """
    cdef const double* of_x = _numbers(x)
    cdef const double* of_y = _numbers(y)
    cdef const double* of_systems = _numbers(systems)
    cdef const double* of_evals = _numbers(evals)
    cdef double* values = _numbers(found)
    cdef size_t height = len(x), width = len(x[0]), samples = len(systems)
    cdef CCoefficient chosen = _coefficient(coefficient)
    with nogil:
        within_evals(chosen, of_x, of_y, of_systems, height, of_evals, width, samples, values)
