#include "orthant/catalogue/names.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "orthant/catalogue/text.h"
#include "orthant/core/error.h"
#include "orthant/io/atomic_file.h"
#include "orthant/io/file_descriptor.h"
#include "orthant/io/mapped_file.h"

namespace orthant::catalogue {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kLongestName = 200;
constexpr size_t kLongestNote = 10'000;
constexpr size_t kLargestFile = 64U << 20U;
constexpr const char* kFormat = "orthant.names.1";

FeatureLabel checked_label(FeatureLabel label, const std::string& where) {
  label.name = mended_utf8(label.name);
  label.note = mended_utf8(label.note);
  const size_t name = characters(label.name);
  const size_t note = characters(label.note);
  check(name <= kLongestName, "[", where, "] expected a name of at most ", kLongestName, " characters, got ", name);
  check(note <= kLongestNote, "[", where, "] expected a note of at most ", kLongestNote, " characters, got ", note);
  return label;
}

// Nothing for what is too deep or no JSON.
Json parse_text(std::string_view text) {
  if (json_depth(text) > kDeepestJson) return {};
  return Json::parse(mended_utf8(text), nullptr, false);
}

FeatureLabel label_of(const Json& json) {
  check(json.is_object(), "[label] expected JSON with name and note, got something else");
  FeatureLabel label;
  for (const auto& [key, value] : {std::pair("name", &label.name), std::pair("note", &label.note)}) {
    if (!json.contains(key)) continue;
    check(json[key].is_string(), "[label] expected ", key, " to be text, got ", json[key].type_name());
    *value = json[key].get<std::string>();
  }
  return label;
}

Json json_of(const FeatureLabel& label) { return {{"name", label.name}, {"note", label.note}}; }

int64_t parse_feature(const std::string& text, int64_t features) {
  int64_t feature = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), feature);
  const bool number = error == std::errc() && end == text.data() + text.size();
  check(number && feature >= 0 && feature < features, "expected features from 0 to ", features - 1, ", got '", text,
        "'");
  return feature;
}

std::map<int64_t, FeatureLabel> parse_names(std::string_view text, int64_t features) {
  const Json json = parse_text(text);
  check(json.is_object() && json.contains("format") && json["format"] == kFormat && json.contains("features") &&
            json["features"].is_object(),
        "expected JSON of the format ", kFormat, " with features, got something else");
  std::map<int64_t, FeatureLabel> labels;
  for (const auto& [key, value] : json["features"].items()) {
    const int64_t feature = parse_feature(key, features);
    const FeatureLabel label = checked_label(label_of(value), "feature " + key);
    if (label != FeatureLabel{}) labels[feature] = label;
  }
  return labels;
}

std::string names_text(const std::map<int64_t, FeatureLabel>& labels, int indent) {
  Json features = Json::object();
  for (const auto& [feature, label] : labels) {
    features[std::to_string(feature)] = json_of(label);
  }
  return Json({{"format", kFormat}, {"features", std::move(features)}}).dump(indent);
}

// Keeps other programs from changing a file of this folder meanwhile, as long as the result lives. Where the file
// system has no such locks, or the folder is not there, changes of two programs at the same moment may meet.
io::FileDescriptor locked_folder(const std::string& path) {
  if (path.empty()) return {};
  const std::string folder = std::filesystem::absolute(path).parent_path().string();
  io::FileDescriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  while (descriptor.get() >= 0 && ::flock(descriptor.get(), LOCK_EX) != 0 && errno == EINTR) {
  }
  return descriptor;
}

}  // namespace

Names::Names(std::string path, int64_t features) : path_(std::move(path)), features_(features) {
  stamp_ = stamp_of_file();
  labels_ = read_file();
}

Names::Stamp Names::stamp_of_file() const {
  struct stat status {};
  if (path_.empty() || ::stat(path_.c_str(), &status) != 0) return {};
  return {status.st_ino, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

std::map<int64_t, FeatureLabel> Names::read_file() const {
  if (path_.empty() || !std::filesystem::exists(path_)) return {};
  const auto file = io::MappedFile::open(path_);
  check_io(file->bytes().size() <= kLargestFile, "[", path_, "] expected at most ", kLargestFile, " bytes, got ",
           file->bytes().size());
  try {
    return parse_names({reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size()}, features_);
  } catch (const std::exception& error) {
    fail_io("[", path_, "] ", error.what());
  }
}

// Under the mutex. Every writer replaces the file as a whole, so another file has another stamp.
void Names::read_if_newer() const {
  if (path_.empty() || stamp_of_file() == stamp_) return;
  const Stamp stamp = stamp_of_file();
  labels_ = read_file();
  stamp_ = stamp;
}

void Names::check_feature(int64_t feature) const {
  check(feature >= 0 && feature < features_, "[names] expected a feature from 0 to ", features_ - 1, ", got ", feature);
}

FeatureLabel Names::get(int64_t feature) const {
  check_feature(feature);
  const auto labels = all();
  const auto found = labels.find(feature);
  return found == labels.end() ? FeatureLabel{} : found->second;
}

std::map<int64_t, FeatureLabel> Names::all() const {
  const std::lock_guard lock(mutex_);
  try {
    read_if_newer();
  } catch (const IoError&) {
    // To be told to who writes, not to everyone who reads.
  }
  return labels_;
}

NameChange Names::change(int64_t feature, FeatureLabel label, const FeatureLabel* expected) {
  check_feature(feature);
  label = checked_label(std::move(label), "feature " + std::to_string(feature));
  const std::lock_guard lock(mutex_);
  const io::FileDescriptor folder = locked_folder(path_);
  read_if_newer();
  const auto found = labels_.find(feature);
  const FeatureLabel present = found == labels_.end() ? FeatureLabel{} : found->second;
  if (expected && present != *expected && present != label) return {false, present};
  auto changed = labels_;
  changed.erase(feature);
  if (label != FeatureLabel{}) changed[feature] = label;
  if (!path_.empty()) io::write_file(path_, names_text(changed, 1) + "\n");
  labels_ = std::move(changed);
  stamp_ = stamp_of_file();
  return {true, label};
}

FeatureLabel Names::set(int64_t feature, FeatureLabel label) {
  return change(feature, std::move(label), nullptr).label;
}

NameChange Names::replace(int64_t feature, FeatureLabel label, const FeatureLabel& expected) {
  return change(feature, std::move(label), &expected);
}

std::string label_document(const FeatureLabel& label) {
  return json_of(label).dump(-1, ' ', false, Json::error_handler_t::replace);
}

LabelWish parse_label(std::string_view text) {
  const Json json = parse_text(text);
  LabelWish wish{.label = label_of(json)};
  if (json.contains("expected")) wish.expected = label_of(json["expected"]);
  return wish;
}

std::string names_document(const Names& names) { return names_text(names.all(), -1); }

}  // namespace orthant::catalogue
