#include "orthant/classify/class_names.h"

#include <algorithm>
#include <set>
#include <utility>

#include "orthant/core/error.h"
#include "orthant/io/text_lines.h"
#include "orthant/text/utf8.h"

namespace orthant::classify {
namespace {

std::string filled(const std::string& pattern, const std::string& name) {
  std::string text;
  size_t from = 0;
  for (size_t at = pattern.find("{}"); at != std::string::npos; at = pattern.find("{}", from)) {
    text += pattern.substr(from, at - from) + name;
    from = at + 2;
  }
  return text + pattern.substr(from);
}

// The classes as they are collected, line by line.
class Collector {
 public:
  Collector(std::string path, std::span<const std::string> templates) : path_(std::move(path)), templates_(templates) {}

  void take(const std::string& line, size_t number) {
    where_ = join("[", path_, ", line ", number, "] ");
    const size_t bad = first_invalid_utf8(line);
    check_io(bad == std::string::npos, where_, "expected UTF-8, got another byte at column ", bad + 1);
    const size_t tab = line.find('\t');
    const std::string name = line.substr(0, tab);
    check_io(!is_blank(name), where_, "expected the name of a class, got a blank one");
    const int64_t number_of_class = class_of(name);
    if (tab != std::string::npos) {
      add(number_of_class, name, line.substr(tab + 1));
      return;
    }
    check_io(plain_.insert(name).second, where_, "expected each name once, got ", name, " again");
    if (templates_.empty()) add(number_of_class, name, name);
    for (const std::string& pattern : templates_) add(number_of_class, name, filled(pattern, name));
  }

  ClassNames classes() && { return std::move(classes_); }

 private:
  int64_t class_of(const std::string& name) {
    const auto found = std::ranges::find(classes_.names, name);
    const auto number = found - classes_.names.begin();
    if (found == classes_.names.end()) classes_.names.push_back(name);
    return number;
  }

  void add(int64_t number, const std::string& name, const std::string& phrase) {
    check_io(!is_blank(phrase), where_, "expected a phrase for ", name, ", got a blank one");
    check_io(known_.emplace(number, phrase).second, where_, "expected each phrase of ", name, " once, got \"", phrase,
             "\" again");
    classes_.phrases.push_back(phrase);
    classes_.class_of.push_back(number);
  }

  std::string path_;
  std::span<const std::string> templates_;
  std::string where_;
  std::set<std::string> plain_;
  std::set<std::pair<int64_t, std::string>> known_;
  ClassNames classes_;
};

}  // namespace

ClassNames read_class_names(const std::string& path, std::span<const std::string> templates) {
  for (const std::string& pattern : templates) {
    check(pattern.find("{}") != std::string::npos, "[template] expected {} where the name goes, got \"", pattern, "\"");
  }
  const std::vector<std::string> lines = io::read_lines(path);
  check_io(!lines.empty(), "[", path, "] expected the name of a class in each line, got an empty file");
  Collector collector(path, templates);
  for (size_t i = 0; i < lines.size(); ++i) collector.take(lines[i], i + 1);
  return std::move(collector).classes();
}

std::vector<int64_t> labels_by_name(std::span<const int64_t> labels, std::span<const std::string> label_names,
                                    std::span<const std::string> names) {
  std::vector<int64_t> classes;
  for (const std::string& name : label_names) {
    const auto found = std::ranges::find(names, name);
    classes.push_back(found == names.end() ? -1 : found - names.begin());
  }
  std::vector<int64_t> found;
  for (size_t i = 0; i < labels.size(); ++i) {
    check(labels[i] >= -1 && labels[i] < static_cast<int64_t>(classes.size()), "[classify] expected labels below ",
          classes.size(), ", got ", labels[i], " for item ", i);
    found.push_back(labels[i] < 0 ? -1 : classes[static_cast<size_t>(labels[i])]);
  }
  return found;
}

}  // namespace orthant::classify
