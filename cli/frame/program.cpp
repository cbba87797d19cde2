#include "cli/frame/program.h"

#include <cerrno>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <string>

#include "cli/frame/interrupt.h"
#include "cli/frame/terminal_text.h"
#include "orthant/core/error.h"
#include "orthant/core/version.h"
#include "orthant/io/file_descriptor.h"
#include "orthant/launch/world.h"

namespace orthant::cli {
namespace {

constexpr int kDone = 0;
constexpr int kFailed = 1;
constexpr int kMisused = 2;

int fail(const std::string& message) {
  std::fprintf(stderr, "orthant: %s\n", terminal_text(message.substr(0, message.find('\n'))).c_str());
  return kFailed;
}

// What was printed may still be in a buffer: only now it turns out whether it can be written.
void check_output() {
  errno = 0;
  const bool flushed = std::fflush(stdout) == 0;
  const int error = errno;
  check_io(flushed && std::ferror(stdout) == 0 && std::cout.good(),
           "[stdout] expected to write the results, got: ", error == 0 ? "an error" : io::error_text(error));
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
  catch_shrunk_files();
  try {
    parse_and_run(argc, argv, add_commands);
    check_output();
    return kDone;
  } catch (const Misuse& misuse) {
    std::fprintf(stderr, "orthant: %s; see '--help'\n", terminal_text(misuse.what()).c_str());
    return kMisused;
  } catch (const Ended& ended) {
    return ended.code;
  } catch (const PeerLost& lost) {
    fail(lost.what());
    return world_of_this_process().launcher == "orthant" ? kPeerLostCode : kFailed;
  } catch (const Interrupted& interrupted) {
    std::fputs("orthant: stopped; nothing unfinished was left behind\n", stderr);
    return 128 + interrupted.signal_number;
  } catch (const std::bad_alloc&) {
    return fail("out of memory; fewer items (--size) or --threads take less");
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(join("[", error.path1().string(),
                     "] expected a file or folder that can be used, got: ", io::error_text(error.code().value())));
  } catch (const std::exception& error) {
    return fail(error.what());
  }
}

}  // namespace orthant::cli
