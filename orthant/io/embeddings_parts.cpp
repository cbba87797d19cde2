#include "orthant/io/embeddings_parts.h"

#include <nlohmann/json.hpp>

namespace orthant::io {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kHow = "how.";

std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json parse(std::string_view text, const std::string& where) {
  try {
    return Json::parse(text);
  } catch (const Json::exception& error) {
    fail_io("[", where, "] expected JSON, got: ", error.what());
  }
}

std::vector<std::string> parse_names(const std::string& text, const std::string& where) {
  const Json list = parse(text, where);
  check_io(list.is_array(), "[", where, "] expected a list of names, got ", list.type_name());
  std::vector<std::string> names;
  for (const Json& item : list) {
    check_io(item.is_string(), "[", where, "] expected a list of names, got ", item.type_name());
    names.push_back(item.get<std::string>());
  }
  return names;
}

std::string factor_part(size_t k, const char* part) { return join("factor.", k, ".", part); }

template <Element T>
std::vector<T> column(const EmbeddingsParts& parts, const std::string& name, const std::string& path) {
  const auto found = parts.arrays.find(name);
  check_io(found != parts.arrays.end(), "[", path, "] expected an array '", name, "', got none of that name");
  const Array& array = found->second;
  check_io(array.dtype == dtype_of<T>() && array.shape.size() == 1, "[", path, ": ", name, "] expected a 1-D array of ",
           dtype_name(dtype_of<T>()), ", got ", dtype_name(array.dtype), " of shape ", shape_text(array.shape));
  const auto values = array.as<T>();
  return {values.begin(), values.end()};
}

template <Element T>
Array column_array(std::vector<T> values) {
  const auto length = static_cast<int64_t>(values.size());
  return array_from(std::move(values), {length});
}

float period(const EmbeddingsParts& parts, size_t factor, const std::string& path) {
  const std::string name = factor_part(factor, "period");
  if (!parts.arrays.contains(name)) return 0;
  const auto values = column<float>(parts, name, path);
  check_io(values.size() == 1 && values[0] > 0, "[", path, ": ", name, "] expected one number above 0, got ",
           values.size() == 1 ? join(values[0]) : join(values.size(), " numbers"));
  return values[0];
}

std::vector<std::string> parse_ids(const EmbeddingsParts& parts, const std::string& path) {
  const auto bytes = column<uint8_t>(parts, "ids.bytes", path);
  const auto ends = column<int64_t>(parts, "ids.ends", path);
  std::vector<std::string> ids;
  ids.reserve(ends.size());
  int64_t begin = 0;
  for (const int64_t end : ends) {
    check_io(end >= begin && static_cast<uint64_t>(end) <= bytes.size(), "[", path,
             ": ids.ends] expected rising ends of up to ", bytes.size(), ", got ", end, " after ", begin);
    ids.emplace_back(bytes.begin() + begin, bytes.begin() + end);
    begin = end;
  }
  return ids;
}

std::map<std::string, std::string> merged_metadata(const EmbeddingsParts& parts, const std::string& path) {
  if (!parts.arrays.contains(kMetadataArray)) return parts.metadata;
  const auto bytes = column<uint8_t>(parts, kMetadataArray, path);
  const std::string where = path + ": " + kMetadataArray;
  const Json object = parse({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, where);
  check_io(object.is_object(), "[", where, "] expected a JSON object, got ", object.type_name());
  std::map<std::string, std::string> metadata = parts.metadata;
  for (const auto& [key, value] : object.items()) {
    check_io(value.is_string(), "[", where, "] expected text for '", key, "', got ", value.type_name());
    metadata[key] = value.get<std::string>();
  }
  return metadata;
}

}  // namespace

bool is_embeddings_part(const std::string& name) {
  return name == "labels" || name == "ids.bytes" || name == "ids.ends" || name == kMetadataArray ||
         name.starts_with("factor.");
}

EmbeddingsParts take_parts(const Embeddings& embeddings) {
  EmbeddingsParts parts;
  parts.metadata["format"] = kEmbeddingsFormat;
  for (const auto& [key, value] : embeddings.how) parts.metadata[std::string(kHow) + key] = value;
  if (!embeddings.class_names.empty()) parts.metadata["class_names"] = dump(embeddings.class_names);
  if (!embeddings.feature_names.empty()) parts.metadata["feature_names"] = dump(embeddings.feature_names);
  if (!embeddings.labels.empty()) parts.arrays["labels"] = column_array(embeddings.labels);
  if (!embeddings.ids.empty()) {
    std::vector<uint8_t> bytes;
    std::vector<int64_t> ends;
    for (const std::string& id : embeddings.ids) {
      bytes.insert(bytes.end(), id.begin(), id.end());
      ends.push_back(static_cast<int64_t>(bytes.size()));
    }
    parts.arrays["ids.bytes"] = column_array(std::move(bytes));
    parts.arrays["ids.ends"] = column_array(std::move(ends));
  }
  if (!embeddings.factors.empty()) {
    Json names = Json::array();
    for (size_t k = 0; k < embeddings.factors.size(); ++k) {
      const Factor& factor = embeddings.factors[k];
      names.push_back(factor.name);
      parts.arrays[factor_part(k, "classes")] = column_array(factor.classes);
      parts.arrays[factor_part(k, "values")] = column_array(factor.values);
      if (factor.period != 0) parts.arrays[factor_part(k, "period")] = column_array(std::vector{factor.period});
    }
    parts.metadata["factor_names"] = dump(names);
  }
  return parts;
}

Array metadata_array(const std::map<std::string, std::string>& metadata) {
  const std::string text = dump(metadata);
  return column_array(std::vector<uint8_t>(text.begin(), text.end()));
}

void put_parts(Embeddings& embeddings, const EmbeddingsParts& parts, const std::string& path) {
  const auto metadata = merged_metadata(parts, path);
  const auto format = metadata.find("format");
  if (const auto labels = parts.arrays.find("labels"); labels != parts.arrays.end()) {
    embeddings.labels = to_integers(labels->second, path + ": labels");
  }
  if (format == metadata.end() || format->second != kEmbeddingsFormat) {
    embeddings.how = metadata;
    return;
  }

  for (const auto& [key, value] : metadata) {
    if (key.starts_with(kHow)) embeddings.how[key.substr(kHow.size())] = value;
  }
  if (const auto names = metadata.find("class_names"); names != metadata.end()) {
    embeddings.class_names = parse_names(names->second, path + ": class_names");
  }
  if (const auto names = metadata.find("feature_names"); names != metadata.end()) {
    embeddings.feature_names = parse_names(names->second, path + ": feature_names");
  }
  if (parts.arrays.contains("ids.ends")) embeddings.ids = parse_ids(parts, path);
  if (const auto names = metadata.find("factor_names"); names != metadata.end()) {
    for (const std::string& name : parse_names(names->second, path + ": factor_names")) {
      const size_t k = embeddings.factors.size();
      embeddings.factors.push_back({name, column<float>(parts, factor_part(k, "values"), path),
                                    column<int32_t>(parts, factor_part(k, "classes"), path), period(parts, k, path)});
    }
  }
}

}  // namespace orthant::io
