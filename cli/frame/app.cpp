#include "cli/frame/app.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <deque>
#include <span>
#include <utility>

#include "orthant/core/error.h"
#include "orthant/core/nearest.h"

namespace orthant::cli {
namespace {

CLI::Option* inside(void* option) { return static_cast<CLI::Option*>(option); }

Check check_of(CLI::Validator validator) {
  return [validator = std::move(validator)](const std::string& text) { return validator(text); };
}

std::string not_known(const std::string& what, const std::string& word, const std::vector<std::string>& known) {
  const std::string* meant = nearest(word, known);
  return join("expected ", what, ", got '", word, "'", meant ? " (did you mean '" + *meant + "'?)" : "");
}

std::vector<std::string> flags_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// What is wrong with the first word that is no command, or no flag, where there can be nothing else; empty if all are.
std::string unknown_word(const CLI::App* app, std::span<char* const> words) {
  for (const std::string word : words) {
    if (word.starts_with("--")) {
      const std::string name = word.substr(0, word.find('='));
      if (name.size() == 2) break;
      if (app->get_option_no_throw(name) == nullptr)
        return not_known("a flag of " + app->get_name(), name, flags_of(*app));
    }
    const auto commands = app->get_subcommands([](const CLI::App*) { return true; });
    if (word.starts_with("-") || commands.empty()) continue;
    const auto found = std::ranges::find(commands, word, &CLI::App::get_name);
    if (found != commands.end()) {
      app = *found;
      continue;
    }
    std::vector<std::string> names;
    for (const CLI::App* command : commands) {
      if (!command->get_group().empty()) names.push_back(command->get_name());
    }
    return not_known("a command", word, names);
  }
  return "";
}

}  // namespace

Check between(int64_t min, int64_t max) { return check_of(CLI::Range(min, max)); }

Check above_zero() { return check_of(CLI::PositiveNumber); }

Check not_negative() { return check_of(CLI::NonNegativeNumber); }

Check one_of(const std::vector<std::string>& choices) { return check_of(CLI::IsMember(choices)); }

Option* Option::required() {
  inside(option_)->required();
  return this;
}

Option* Option::type_name(const std::string& name) {
  inside(option_)->type_name(name);
  return this;
}

Option* Option::description(const std::string& text) {
  inside(option_)->description(text);
  return this;
}

Option* Option::capture_default_str() {
  inside(option_)->capture_default_str();
  return this;
}

Option* Option::group(const std::string& name) {
  inside(option_)->group(name);
  return this;
}

Option* Option::delimiter(char separator) {
  inside(option_)->delimiter(separator);
  return this;
}

Option* Option::allow_extra_args(bool allow) {
  inside(option_)->allow_extra_args(allow);
  return this;
}

Option* Option::excludes(Option* other) {
  inside(option_)->excludes(inside(other->option_));
  return this;
}

Option* Option::check(Check check) {
  inside(option_)->check(CLI::Validator([check = std::move(check)](std::string& text) { return check(text); }, ""));
  return this;
}

size_t Option::count() const { return inside(option_)->count(); }

struct App::Parts {
  std::unique_ptr<CLI::App> owned;  // of the program; commands belong to it
  CLI::App* app = nullptr;
  std::deque<std::unique_ptr<App>> commands = {};
  std::deque<Option> options = {};
};

App::App(const std::string& description, const std::string& name) : parts_(std::make_unique<Parts>()) {
  parts_->owned = std::make_unique<CLI::App>(description, name);
  parts_->app = parts_->owned.get();
}

App::App(void* command) : parts_(std::make_unique<Parts>()) { parts_->app = static_cast<CLI::App*>(command); }

App::~App() = default;

App* App::add_subcommand(const std::string& name, const std::string& description) {
  CLI::App* const command = parts_->app->add_subcommand(name, description);
  parts_->commands.push_back(std::unique_ptr<App>(new App(static_cast<void*>(command))));
  return parts_->commands.back().get();
}

App* App::require_subcommand() {
  parts_->app->require_subcommand(1);
  return this;
}

App* App::group(const std::string& name) {
  parts_->app->group(name);
  return this;
}

App* App::footer(const std::string& text) {
  parts_->app->footer(text);
  return this;
}

App* App::version_flag(const std::string& text) {
  parts_->app->set_version_flag("--version", text);
  return this;
}

App* App::pass_everything_on() {
  parts_->app->set_help_flag();
  parts_->app->prefix_command();
  return this;
}

App* App::callback(std::function<void()> run) {
  parts_->app->callback(std::move(run));
  return this;
}

Option* App::keep(void* option) {
  parts_->options.push_back(Option(option));
  return &parts_->options.back();
}

Option* App::add_option(const std::string& name, std::string& value, const std::string& help) {
  return keep(parts_->app->add_option(name, value, help));
}

Option* App::add_option(const std::string& name, int& value, const std::string& help) {
  return keep(parts_->app->add_option(name, value, help));
}

Option* App::add_option(const std::string& name, int64_t& value, const std::string& help) {
  return keep(parts_->app->add_option(name, value, help));
}

Option* App::add_option(const std::string& name, uint64_t& value, const std::string& help) {
  return keep(parts_->app->add_option(name, value, help));
}

Option* App::add_option(const std::string& name, double& value, const std::string& help) {
  return keep(parts_->app->add_option(name, value, help));
}

Option* App::add_option(const std::string& name, std::vector<std::string>& values, const std::string& help) {
  return keep(parts_->app->add_option(name, values, help));
}

Option* App::add_option(const std::string& name, std::vector<int64_t>& values, const std::string& help) {
  return keep(parts_->app->add_option(name, values, help));
}

Option* App::add_option_function(const std::string& name, std::function<void(const std::string&)> store,
                                 const std::string& help) {
  return keep(parts_->app->add_option_function<std::string>(name, store, help));
}

Option* App::add_flag(const std::string& name, bool& value, const std::string& help) {
  return keep(parts_->app->add_flag(name, value, help));
}

Option* App::add_flag_function(const std::string& name, std::function<void()> given, const std::string& help) {
  return keep(parts_->app->add_flag_callback(name, std::move(given), help));
}

Option* App::get_option(const std::string& name) { return keep(parts_->app->get_option(name)); }

size_t App::count(const std::string& name) const { return parts_->app->count(name); }

void App::parse(int argc, char** argv) {
  try {
    parts_->app->parse(argc, argv);
  } catch (const CLI::Success& help) {
    parts_->app->exit(help);
  } catch (const CLI::ParseError& misuse) {
    const std::string unknown = unknown_word(parts_->app, {argv + 1, static_cast<size_t>(std::max(argc, 1) - 1)});
    throw Misuse(unknown.empty() ? misuse.what() : unknown);
  }
}

}  // namespace orthant::cli
