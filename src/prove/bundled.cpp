// The functions that Rust calls to become Vampire, and those that Vampire's patched sources call in turn (`build.rs`
// says which lines are patched).
//
// Vampire's `main` is compiled under the name `refolio_vampire_main` and keeps its C++ linkage.

#include <csignal>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>

#include <sys/time.h>
#include <unistd.h>

#include "Lib/Environment.hpp"
#include "Shell/Options.hpp"

int refolio_vampire_main(int argc, char* argv[]);

// Read by the timer: a command line ends the process when its time is up, a library must not.
bool refolio_vampire_is_command_line = false;

// Whether what depends on the options alone was checked before the problem was read.
bool refolio_vampire_options_checked = false;

static bool is_worker = false;

// Waits for a question and forks a child for it. Returns the problem in the child only, and null in the worker once
// there is nothing more to come.
extern "C" const char* refolio_worker_serve(size_t* length);

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

// Called by `main` when the command line is read and the problem is not.
void refolio_vampire_ready()
{
  if (!is_worker)
    return;
  if (is_one_strategy(*env.options))
    check_options(*env.options);
  std::cout.flush();
  std::fflush(stdout);
  size_t length = 0;
  const char* problem = refolio_worker_serve(&length);
  if (!problem)
    _exit(0);
  std::cin.rdbuf(new std::stringbuf(std::string(problem, length), std::ios::in));
}

static volatile std::sig_atomic_t limits_are_off = 0;

// As the timer's thread would do, with what a signal handler may call.
static void time_is_up(int)
{
  if (limits_are_off)
    return;
  static const char text[] = "% Time limit reached! \n";
  ssize_t written = write(STDOUT_FILENO, text, sizeof text - 1);
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
  // Nothing is left to do but to free memory, which ends with the process anyway.
  _exit(code);
}
