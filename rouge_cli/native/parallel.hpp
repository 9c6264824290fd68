// A batch divided among threads: what runs/parallel.py does, inside of one batch. program.cpp has the definitions.
#pragma once

#include <cstddef>
#include <vector>

#include "program.hpp"

namespace rouge {

// The cores that this process may use, which are fewer than the machine's where it is pinned (taskset, batch systems).
std::size_t usable_cores();

// The number of threads that a batch is worth, up to `most`.
std::size_t threads_of(const Batch& batch, std::size_t most);

bool all_scored(const Batch& batch);

// Scores a batch by programs of the same set-up, each in a thread and with a vocabulary of its own. Which thread scores
// which part changes nothing in the batch.
void run_in_threads(const std::vector<Program*>& programs, Batch& batch);

}  // namespace rouge
