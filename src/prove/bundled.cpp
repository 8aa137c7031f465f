// The one function that Rust calls to become Vampire.
//
// Vampire's `main` is compiled under the name `refolio_vampire_main` and keeps its C++ linkage.

#include <csignal>

int refolio_vampire_main(int argc, char* argv[]);

// Read by the timer: a command line ends the process when its time is up, a library must not.
bool refolio_vampire_is_command_line = false;

extern "C" int refolio_vampire_run(int argc, char* argv[])
{
  // Rust programs start with SIGPIPE ignored; Vampire expects to be stopped by it.
  std::signal(SIGPIPE, SIG_DFL);
  refolio_vampire_is_command_line = true;
  return refolio_vampire_main(argc, argv);
}
