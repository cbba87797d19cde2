#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

// The words of the command line: commands, their flags and their help. A front of CLI11 that keeps its headers, which
// cost more than ten seconds a source, in one place.

namespace orthant::cli {

// Wrong usage: one line, exit code 2.
struct Misuse : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// What is wrong with a flag's value, or an empty text.
using Check = std::function<std::string(const std::string& text)>;

Check between(int64_t min, int64_t max);
Check above_zero();
Check not_negative();
Check one_of(const std::vector<std::string>& choices);

// A flag or an argument by position; lives as long as its command. Every call but count() returns the option itself.
class Option {
 public:
  Option* required();
  Option* type_name(const std::string& name);    // what stands for the value in the help
  Option* description(const std::string& text);  // replaces the help
  Option* capture_default_str();                 // the help shows the value that the variable has now
  Option* group(const std::string& name);        // heading in the help; "": hidden
  Option* delimiter(char separator);             // several values in one word
  Option* allow_extra_args(bool allow);          // false: one value each time the flag is given
  Option* excludes(Option* other);               // not both
  Option* check(Check check);                    // of each value
  size_t count() const;                          // how often it was given

 private:
  friend class App;
  explicit Option(void* option) : option_(option) {}
  void* option_;
};

// The program, or one of its commands. Variables given to it must live as long as it is parsed.
class App {
 public:
  App(const std::string& description, const std::string& name);
  ~App();
  App(const App&) = delete;
  App& operator=(const App&) = delete;

  App* add_subcommand(const std::string& name, const std::string& description);
  App* require_subcommand();                   // one of its commands must be given
  App* group(const std::string& name);         // heading in the list of commands; "": hidden
  App* footer(const std::string& text);        // behind the help
  App* version_flag(const std::string& text);  // --version
  App* pass_everything_on();                   // its words, --help too, are for another program
  App* callback(std::function<void()> run);    // called once all words are read

  // A name that begins with dashes is a flag ("-o,--output"), otherwise an argument by position.
  Option* add_option(const std::string& name, std::string& value, const std::string& help);
  Option* add_option(const std::string& name, int& value, const std::string& help);
  Option* add_option(const std::string& name, int64_t& value, const std::string& help);
  Option* add_option(const std::string& name, uint64_t& value, const std::string& help);
  Option* add_option(const std::string& name, double& value, const std::string& help);
  Option* add_option(const std::string& name, std::vector<std::string>& values, const std::string& help);
  Option* add_option(const std::string& name, std::vector<int64_t>& values, const std::string& help);
  Option* add_option_function(const std::string& name, std::function<void(const std::string&)> store,
                              const std::string& help);
  Option* add_flag(const std::string& name, bool& value, const std::string& help);
  Option* add_flag_function(const std::string& name, std::function<void()> given, const std::string& help);

  Option* get_option(const std::string& name);
  size_t count(const std::string& name) const;  // how often an option was given

  // Reads the words and runs the callbacks. Prints help or the version where it is asked for. Misuse for words that do
  // not fit.
  void parse(int argc, char** argv);

 private:
  struct Parts;
  explicit App(void* command);
  Option* keep(void* option);

  std::unique_ptr<Parts> parts_;
};

}  // namespace orthant::cli
