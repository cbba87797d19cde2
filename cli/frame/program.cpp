#include "cli/frame/program.h"

#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include "cli/frame/interrupt.h"
#include "orthant/core/version.h"

namespace orthant::cli {
namespace {

constexpr int kDone = 0;
constexpr int kFailed = 1;
constexpr int kMisused = 2;

int fail(const std::string& message) {
  std::fprintf(stderr, "orthant: %s\n", message.substr(0, message.find('\n')).c_str());
  return kFailed;
}

void parse_and_run(int argc, char** argv, const std::function<void(App&)>& add_commands) {
  App app("Orthant: non-negative contrastive learning. Train, measure, look at and use features that mean something.",
          "orthant");
  app.version_flag(std::string("orthant ") + orthant::version());
  app.require_subcommand();
  app.footer("'orthant COMMAND --help' explains a command. Exit code: 0 done, 1 failed, 2 misused.");
  add_commands(app);
  app.parse(argc, argv);
}

}  // namespace

int run_program(int argc, char** argv, const std::function<void(App&)>& add_commands) {
  catch_interrupts();
  try {
    parse_and_run(argc, argv, add_commands);
    return kDone;
  } catch (const Misuse& misuse) {
    std::fprintf(stderr, "orthant: %s; see '--help'\n", misuse.what());
    return kMisused;
  } catch (const Interrupted& interrupted) {
    std::fputs("orthant: stopped; nothing unfinished was left behind\n", stderr);
    return 128 + interrupted.signal_number;
  } catch (const std::bad_alloc&) {
    return fail("out of memory");
  } catch (const std::exception& error) {
    return fail(error.what());
  }
}

}  // namespace orthant::cli
