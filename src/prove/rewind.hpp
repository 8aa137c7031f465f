// A process that answers one question after another, each from the same memory.

#ifndef REFOLIO_REWIND_HPP
#define REFOLIO_REWIND_HPP

#include <cstddef>
#include <cstdint>

namespace refolio {

constexpr size_t OUTPUT_BYTES = 64 * 1024;
constexpr size_t PROBLEM_BYTES = 256 * 1024;

// Memory that a worker and its lasting child share; `src/prove/worker/lasting.rs` has the same.
struct Desk {
  // Whether the child can take the next question: one of the three below.
  uint32_t state;
  // The exit code, as of a process.
  int32_t code;
  uint64_t problem_length;
  // What was printed and not written to stdout before, which holds it even if the child dies.
  uint64_t output_length;
  char output[OUTPUT_BYTES];
  char problem[PROBLEM_BYTES];
};

enum : uint32_t {
  STAYS = 0,
  // This was its last answer.
  LEAVES = 1,
  // It cannot answer any.
  REFUSES = 2,
};

// Whether this system can do it at all.
bool can_rewind();

// The state that every question is to begin with is that of the call. Returns once for each question, with the problem
// on the desk. The event counter `asked` is raised for each, and a byte goes to the pipe `answered`.
void rewind_to_here(Desk* desk, int asked, int answered);

// Hands over the exit code and never returns: the next question comes out of `rewind_to_here`.
[[noreturn]] void answer_and_rewind(int code);

} // namespace refolio

#endif
