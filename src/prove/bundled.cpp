// The functions that Rust calls to become Vampire, and those that Vampire's patched sources call in turn (`build.rs`
// says which lines are patched).
//
// Vampire's `main` is compiled under the name `refolio_vampire_main` and keeps its C++ linkage.

#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <sys/time.h>
#include <unistd.h>

#include "Lib/Environment.hpp"
#include "Shell/Options.hpp"

#include "rewind.hpp"

int refolio_vampire_main(int argc, char* argv[]);

// Read by the timer: a command line ends the process when its time is up, a library must not.
bool refolio_vampire_is_command_line = false;

// Whether what depends on the options alone was checked before the problem was read.
bool refolio_vampire_options_checked = false;

static bool is_worker = false;

// The options are not to be had from outside, but an explicit instantiation may name what is private.
template <auto Options> struct Opened {
  friend auto options_of(const Shell::Options& options) { return (options.*Options).values(); }
};
template struct Opened<&Shell::Options::_lookup>;
auto options_of(const Shell::Options& options);

// All options, in Vampire's order.
static const auto& all_options()
{
  static const auto all = [] {
    auto options = options_of(*env.options);
    std::vector<decltype(options.next())> found;
    while (options.hasNext())
      found.push_back(options.next());
    return found;
  }();
  return all;
}

// As `Options::checkProblemOptionConstraints` does it. That walks through its table of all options twice for each
// problem, where only those that were set have anything to say.
void refolio_vampire_check_options(Shell::Property* property, bool before_preprocessing)
{
  if (!is_worker) {
    env.options->checkProblemOptionConstraints(property, before_preprocessing);
    return;
  }
  for (auto* option : all_options())
    if (option->is_set && before_preprocessing == (option->getTag() == Shell::Options::OptionTag::PREPROCESSING))
      option->checkProblemConstraints(property);
}

// Where a child begins; `src/prove/worker/server.rs` has the same.
struct Place {
  // Whether a child may stay for more than one question.
  bool may_stay;
  // For one question: its problem.
  const char* problem;
  size_t length;
  // For more: the desk, the event counter that is raised for each, and the pipe that is told of each answer.
  refolio::Desk* desk;
  int asked;
  int answered;
};

// Waits for questions and forks a child, for one or for as many as it can answer. Returns true in the child only, and
// false in the worker once there is nothing more to come.
extern "C" bool refolio_worker_serve(Place* place);

static refolio::Desk* desk = nullptr;

// Prints to the desk: what is there is safe as soon as it is written, without a call of the system for each line.
class DeskBuffer : public std::streambuf {
protected:
  int_type overflow(int_type c) override
  {
    if (traits_type::eq_int_type(c, traits_type::eof()))
      return traits_type::not_eof(c);
    const char one = traits_type::to_char_type(c);
    return xsputn(&one, 1) == 1 ? c : traits_type::eof();
  }

  std::streamsize xsputn(const char* text, std::streamsize length) override
  {
    for (std::streamsize done = 0; done < length;) {
      if (desk->output_length == refolio::OUTPUT_BYTES && !write_out())
        return done;
      const size_t room = refolio::OUTPUT_BYTES - desk->output_length;
      const size_t left = length - done;
      const size_t n = left < room ? left : room;
      std::memcpy(desk->output + desk->output_length, text + done, n);
      desk->output_length += n;
      done += n;
    }
    return length;
  }

private:
  static bool write_out()
  {
    for (size_t done = 0; done < desk->output_length;) {
      const ssize_t n = write(STDOUT_FILENO, desk->output + done, desk->output_length - done);
      if (n <= 0)
        return false;
      done += n;
    }
    desk->output_length = 0;
    return true;
  }
};

static bool is_one_strategy(const Shell::Options& options)
{
  return options.mode() == Shell::Options::Mode::VAMPIRE && options.strategySamplerFilename().empty();
}

// Does now what proving would do first, with the options as they stand. What is to be printed about it has to be
// printed with the answer: then it is left to be done there.
static void check_options(Shell::Options& options)
{
  struct Printed {
    std::stringbuf text;
    std::streambuf* before = std::cout.rdbuf(&text);
    ~Printed() { std::cout.rdbuf(before); }
  } printed;
  options.setForcedOptionValues();
  options.checkGlobalOptionConstraints();
  refolio_vampire_options_checked = printed.text.str().empty();
}

// Does once what the first use of each of these does in every process.
static void warm_up()
{
  all_options();
  std::cout.widen('\n');
  try {
    throw 0;
  } catch (int) {
  }
}

// A memory limit below this, in MiB, is left to the problem alone.
static const size_t LEAST_MEMORY_TO_STAY = 256;

// Called by `main` when the command line is read and the problem is not. Returns once for each question.
void refolio_vampire_ready()
{
  if (!is_worker)
    return;
  warm_up();
  Place place = {};
  if (is_one_strategy(*env.options)) {
    check_options(*env.options);
    place.may_stay = env.options->memoryLimit() >= LEAST_MEMORY_TO_STAY && refolio::can_rewind();
  }
  std::cout.flush();
  std::fflush(stdout);
  if (!refolio_worker_serve(&place))
    _exit(0);
  if (place.desk) {
    desk = place.desk;
    std::cout.rdbuf(new DeskBuffer);
    refolio::rewind_to_here(desk, place.asked, place.answered);
    place.problem = desk->problem;
    place.length = desk->problem_length;
  }
  std::cin.rdbuf(new std::stringbuf(std::string(place.problem, place.length), std::ios::in));
}

static volatile std::sig_atomic_t limits_are_off = 0;

// As the timer's thread would do, with what a signal handler may call.
static void time_is_up(int)
{
  if (limits_are_off)
    return;
  static const char text[] = "% Time limit reached! \n";
  const size_t length = sizeof text - 1;
  if (desk && refolio::OUTPUT_BYTES - desk->output_length >= length) {
    std::memcpy(desk->output + desk->output_length, text, length);
    desk->output_length += length;
    _exit(1);
  }
  ssize_t written = write(STDOUT_FILENO, text, length);
  _exit(written < 0 ? 3 : 1);
}

// Called by the timer instead of starting its thread, which costs a small problem a good part of its time. False where
// there is more to watch than the clock.
bool refolio_vampire_set_alarm()
{
  const Shell::Options& options = *env.options;
  if (!is_worker || !is_one_strategy(options) || options.instructionLimit() || options.simulatedInstructionLimit())
    return false;
  const unsigned milliseconds = options.timeLimitInMilliseconds();
  if (milliseconds) {
    std::signal(SIGALRM, time_is_up);
    itimerval at = {};
    at.it_value.tv_sec = milliseconds / 1000;
    at.it_value.tv_usec = milliseconds % 1000 * 1000;
    if (setitimer(ITIMER_REAL, &at, nullptr) != 0)
      return false;
  }
  return true;
}

// Called when an answer has been found and is about to be printed.
void refolio_vampire_limits_off()
{
  limits_are_off = 1;
}

extern "C" int refolio_vampire_run(int argc, char* argv[])
{
  // Rust programs start with SIGPIPE ignored; Vampire expects to be stopped by it.
  std::signal(SIGPIPE, SIG_DFL);
  refolio_vampire_is_command_line = true;
  return refolio_vampire_main(argc, argv);
}

extern "C" void refolio_vampire_work(int argc, char* argv[])
{
  is_worker = true;
  const int code = refolio_vampire_run(argc, argv);
  std::cout.flush();
  std::fflush(nullptr);
  if (desk) {
    limits_are_off = 1;
    const itimerval never = {};
    if (setitimer(ITIMER_REAL, &never, nullptr) == 0)
      refolio::answer_and_rewind(code);
  }
  // Nothing is left to do but to free memory, which ends with the process anyway.
  _exit(code);
}
