#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <array>
#include <functional>
#include <optional>

#include "cli/commands.h"
#include "cli/frame/interrupt.h"
#include "cli/look_inputs.h"
#include "cli/where/encoder.h"
#include "orthant/core/error.h"
#include "orthant/io/image_file.h"
#include "orthant/serve/api.h"
#include "orthant/serve/gate.h"
#include "orthant/serve/server.h"
#include "orthant/serve/token.h"

namespace orthant::cli {
namespace {

struct ExploreFlags {
  Common common;
  LookInputs inputs;
  int port = 0;
  bool open = false;
  std::string listen;
  std::string token;
  int64_t max_pixels = 16'000'000;
};

// Models beside the embeddings can also say what they see in other pictures and texts; LibTorch is loaded with the
// first.
void add_encoders(serve::ApiOptions& options, const std::string& input, const catalogue::RunRecord& record,
                  const ExploreFlags& flags) {
  using serve::EncoderProcess;
  const Encode encode = encode_with(input, flags.common.threads, flags.max_pixels);
  const auto taken = [&](const std::string& query,
                         EncoderProcess::Question kind) -> std::function<std::vector<float>(std::string_view)> {
    if (!takes(record, query)) return nullptr;
    return [encode, kind](std::string_view bytes) { return encode(kind, bytes); };
  };
  options.encoders.push_back(taken("picture", EncoderProcess::kPicture));
  options.text_encoders.push_back(taken("text", EncoderProcess::kText));
  options.mappers.push_back(where_with(record, encode));
}

// What browsers call the address.
std::string url_of(const std::string& listen, int port, const std::string& token) {
  const bool any = listen == "0.0.0.0" || listen == "::";
  const std::string host = any ? "localhost" : listen.find(':') != std::string::npos ? "[" + listen + "]" : listen;
  return fmt::format("http://{}:{}/{}", host, port, token.empty() ? "" : "?token=" + token);
}

void open_browser(const std::string& url) {
  std::string program = "xdg-open";
  std::string address = url;
  std::array<char*, 3> argv = {program.data(), address.data(), nullptr};
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    ::posix_spawn_file_actions_addopen(&files, file, "/dev/null", O_RDWR, 0);
  }
  pid_t child = 0;
  const int failure = ::posix_spawnp(&child, program.c_str(), &files, nullptr, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&files);
  if (failure != 0) fmt::print(stderr, "orthant: no xdg-open to start a browser with; open the address by hand\n");
}

void run(const ExploreFlags& flags) {
  const std::string address = flags.listen.empty() ? "127.0.0.1" : flags.listen;
  std::string token = flags.token;
  if (!token.empty()) serve::check_token(token);
  if (token.empty() && !serve::is_loopback(address)) token = serve::random_token();

  const auto catalogues = open_inputs(flags.inputs, flags.common);
  std::vector<const catalogue::Catalogue*> runs;
  serve::ApiOptions options;
  for (const auto& catalogue : catalogues) runs.push_back(catalogue.get());
  for (size_t r = 0; r < runs.size(); ++r) add_encoders(options, flags.inputs.inputs[r], runs[r]->record(), flags);
  options.threads = flags.common.threads;
  const serve::Api api(std::move(runs), std::move(options));

  std::optional<serve::Gate> gate;
  serve::Server server(
      [&](const serve::Request& request) {
        if (auto refused = gate->refuse(request)) return *refused;
        serve::Reply reply = api.answer(request);
        if (const std::string cookie = gate->cookie(request); !cookie.empty()) {
          reply.fields.emplace_back("Set-Cookie", cookie);
        }
        return reply;
      },
      {.address = address, .port = flags.port});
  gate.emplace(serve::GateOptions{.address = address, .port = server.port(), .token = token});
  const std::string url = url_of(address, server.port(), token);
  fmt::print("{}\n", url);
  std::fflush(stdout);
  if (flags.open) open_browser(url);
  server.run([] { return interrupt_signal() != 0; });
}

}  // namespace

void add_explore(App& app) {
  auto flags = std::make_shared<ExploreFlags>();
  App* command =
      add_command(app, "explore", "Look at the features of runs in a browser, served from here", flags->common);
  add_look_inputs(*command, flags->inputs);
  command->add_option("--port", flags->port, "Port to listen on; 0: any that is free")
      ->check(between(0, 65535))
      ->type_name("N")
      ->capture_default_str();
  command->add_flag("--open", flags->open, "Also open it in the desktop's browser");
  command
      ->add_option("--listen", flags->listen,
                   "Address to listen on instead of this machine only; others then need the token")
      ->type_name("ADDRESS");
  command->add_option("--token", flags->token, "Token that every request needs; default with --listen: a random one")
      ->type_name("TOKEN");
  command->add_option("--max-pixels", flags->max_pixels, "Pixels of the largest picture that is embedded")
      ->check(between(1, io::kMaxImagePixels))
      ->type_name("N")
      ->capture_default_str();
  command->footer("Prints its address when it is ready. Ctrl-C or SIGTERM stops it.");
  command->callback([flags] { run(*flags); });
}

}  // namespace orthant::cli
