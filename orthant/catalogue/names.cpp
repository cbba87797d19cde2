#include "orthant/catalogue/names.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <charconv>
#include <cmath>
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

// As much of a name as is kept.
std::string shortened_name(std::string name) {
  size_t end = 0;
  for (size_t taken = 0; end < name.size() && taken < kLongestName; ++taken) {
    do ++end;
    while (end < name.size() && (static_cast<unsigned char>(name[end]) & 0xc0U) == 0x80U);
  }
  name.resize(end);
  return name;
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

ProposedName proposed_of(const Json& json, const std::string& where) {
  check(json.is_object() && json.contains("name") && json["name"].is_string(), "[", where,
        "] expected a proposal with a name, got something else");
  const auto number = [&](const char* key) {
    const double value = json.contains(key) && json[key].is_number() ? json[key].get<double>() : 0.0;
    check(std::isfinite(value), "[", where, "] expected a finite ", key, ", got ", value);
    return value;
  };
  ProposedName proposed{.name = json["name"].get<std::string>(), .score = number("score"), .chance = number("chance")};
  if (json.contains("from") && json["from"].is_string()) proposed.from = json["from"].get<std::string>();
  return proposed;
}

ProposedName checked_proposal(ProposedName proposed, const std::string& where) {
  proposed.name = checked_label({.name = proposed.name}, where).name;
  proposed.from = checked_label({.name = proposed.from}, where).name;
  check(std::isfinite(proposed.score) && std::isfinite(proposed.chance), "[", where, "] expected finite scores, got ",
        proposed.score, " and ", proposed.chance);
  return proposed;
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

Names::Names(std::string path, int64_t features, std::vector<std::string> columns)
    : path_(std::move(path)), features_(features), columns_(std::move(columns)) {
  check(columns_.empty() || std::ssize(columns_) == features_, "[names] expected names of ", features_,
        " columns, got ", columns_.size());
  for (std::string& column : columns_) column = shortened_name(mended_utf8(column));
  stamp_ = stamp_of_file();
  content_ = read_file();
}

Names::Content Names::parse(std::string_view text, int64_t features) {
  const Json json = parse_text(text);
  check(json.is_object() && json.contains("format") && json["format"] == kFormat && json.contains("features") &&
            json["features"].is_object(),
        "expected JSON of the format ", kFormat, " with features, got something else");
  Content content;
  for (const auto& [key, value] : json["features"].items()) {
    const int64_t feature = parse_feature(key, features);
    const std::string where = "feature " + key;
    const FeatureLabel label = checked_label(label_of(value), where);
    if (label != FeatureLabel{}) content.labels[feature] = label;
    if (value.contains("proposed")) {
      content.proposed[feature] = checked_proposal(proposed_of(value["proposed"], where), where);
    }
  }
  return content;
}

std::string Names::text_of(const Content& content, int indent) {
  std::map<int64_t, Json> entries;
  for (const auto& [feature, label] : content.labels) entries[feature] = json_of(label);
  for (const auto& [feature, proposed] : content.proposed) {
    if (!entries.contains(feature)) entries[feature] = json_of({});
    entries[feature]["proposed"] = {
        {"name", proposed.name}, {"score", proposed.score}, {"chance", proposed.chance}, {"from", proposed.from}};
  }
  Json features = Json::object();
  for (auto& [feature, entry] : entries) features[std::to_string(feature)] = std::move(entry);
  return Json({{"format", kFormat}, {"features", std::move(features)}}).dump(indent);
}

Names::Stamp Names::stamp_of_file() const {
  struct stat status {};
  if (path_.empty() || ::stat(path_.c_str(), &status) != 0) return {};
  return {status.st_ino, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

Names::Content Names::read_file() const {
  if (path_.empty() || !std::filesystem::exists(path_)) return {};
  const auto file = io::MappedFile::open(path_);
  check_io(file->bytes().size() <= kLargestFile, "[", path_, "] expected at most ", kLargestFile, " bytes, got ",
           file->bytes().size());
  try {
    return parse({reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size()}, features_);
  } catch (const std::exception& error) {
    fail_io("[", path_, "] ", error.what());
  }
}

// Under the mutex. Every writer replaces the file as a whole, so another file has another stamp.
void Names::read_if_newer() const {
  if (path_.empty() || stamp_of_file() == stamp_) return;
  const Stamp stamp = stamp_of_file();
  content_ = read_file();
  stamp_ = stamp;
}

void Names::check_feature(int64_t feature) const {
  check(feature >= 0 && feature < features_, "[names] expected a feature from 0 to ", features_ - 1, ", got ", feature);
}

// Under the mutex: what a person said, over what the feature came with.
FeatureLabel Names::own_label(int64_t feature) const {
  const auto found = content_.labels.find(feature);
  FeatureLabel label = found == content_.labels.end() ? FeatureLabel{} : found->second;
  if (label.name.empty() && !columns_.empty()) label.name = columns_[static_cast<size_t>(feature)];
  return label;
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
  if (columns_.empty()) return content_.labels;
  std::map<int64_t, FeatureLabel> labels;
  for (int64_t feature = 0; feature < features_; ++feature) {
    FeatureLabel label = own_label(feature);
    if (label != FeatureLabel{}) labels.emplace_hint(labels.end(), feature, std::move(label));
  }
  return labels;
}

std::map<int64_t, ProposedName> Names::proposed() const {
  all();
  const std::lock_guard lock(mutex_);
  return content_.proposed;
}

// Under the mutex, and with the folder locked.
void Names::save(Content content) {
  if (!path_.empty()) io::write_file(path_, text_of(content, 1) + "\n");
  content_ = std::move(content);
  stamp_ = stamp_of_file();
}

NameChange Names::change(int64_t feature, FeatureLabel label, const FeatureLabel* expected) {
  check_feature(feature);
  label = checked_label(std::move(label), "feature " + std::to_string(feature));
  const std::lock_guard lock(mutex_);
  const io::FileDescriptor folder = locked_folder(path_);
  read_if_newer();
  const FeatureLabel present = own_label(feature);
  if (expected && present != *expected && present != label) return {false, present};
  Content changed = content_;
  changed.labels.erase(feature);
  FeatureLabel kept = label;
  if (!columns_.empty() && kept.name == columns_[static_cast<size_t>(feature)]) kept.name.clear();
  if (kept != FeatureLabel{}) changed.labels[feature] = kept;
  save(std::move(changed));
  return {true, own_label(feature)};
}

void Names::propose(std::map<int64_t, ProposedName> proposals) {
  for (auto& [feature, proposed] : proposals) {
    check_feature(feature);
    proposed = checked_proposal(std::move(proposed), "feature " + std::to_string(feature));
  }
  const std::lock_guard lock(mutex_);
  const io::FileDescriptor folder = locked_folder(path_);
  read_if_newer();
  Content changed = content_;
  changed.proposed = std::move(proposals);
  save(std::move(changed));
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

std::string names_document(const Names& names) {
  return Names::text_of({.labels = names.all(), .proposed = names.proposed()}, -1);
}

}  // namespace orthant::catalogue
