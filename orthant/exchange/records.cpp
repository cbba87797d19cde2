#include "orthant/exchange/records.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "orthant/core/version.h"
#include "orthant/exchange/export.h"
#include "orthant/exchange/text.h"
#include "orthant/io/atomic_file.h"

namespace orthant::exchange {
namespace {

void write_items(const Shipment& shipment, const AtomicFolder& folder) {
  io::AtomicFile file(folder.file("items.csv"));
  file.write("row,key,id,label\n");
  for (int64_t i = 0; i < shipment.rows(); ++i) {
    std::string line;
    append_number(line, i);
    line += ',';
    append_cell(line, shipment.items.text(i));
    line += ',';
    if (!shipment.embeddings.ids.empty()) append_cell(line, shipment.embeddings.ids[static_cast<size_t>(i)]);
    line += ',';
    append_cell(line, shipment.label(i));
    file.write(line + "\n");
  }
  file.commit();
}

void write_features(const Shipment& shipment, const AtomicFolder& folder) {
  io::AtomicFile file(folder.file("features.csv"));
  file.write("column,key,name\n");
  for (int64_t j = 0; j < shipment.cols(); ++j) {
    std::string line;
    append_number(line, j);
    line += ',';
    append_cell(line, shipment.feature_keys[static_cast<size_t>(j)]);
    line += ',';
    const auto& names = shipment.embeddings.feature_names;
    if (!names.empty()) append_cell(line, names[static_cast<size_t>(j)]);
    file.write(line + "\n");
  }
  file.commit();
}

void write_expected(const Shipment& shipment, const AtomicFolder& folder) {
  std::string text = "{\"metric\": \"inner product\", \"questions\": [";
  bool first = true;
  for (const Question& question : shipment.questions) {
    text += first ? "\n" : ",\n";
    first = false;
    text += "{\"row\": " + std::to_string(question.row) + ", \"item\": " + shipment.items.json(question.row) +
            ", \"found\": [";
    bool first_answer = true;
    for (const Question::Answer& answer : question.answers) {
      if (!first_answer) text += ", ";
      first_answer = false;
      text += "{\"row\": " + std::to_string(answer.row) + ", \"item\": " + shipment.items.json(answer.row) +
              ", \"score\": ";
      append_number(text, answer.score);
      text += "}";
    }
    text += "]}";
  }
  folder.write("expected.json", text + "]}\n");
}

}  // namespace

std::string weights_json(std::span<const Entry> entries, std::span<const std::string> keys) {
  std::string text = "{";
  for (const Entry& entry : entries) {
    if (text.size() > 1) text += ", ";
    append_json(text, keys[static_cast<size_t>(entry.column)]);
    text += ": ";
    append_number(text, entry.value);
  }
  return text + "}";
}

std::string lists_json(std::span<const Entry> entries) {
  std::string indices;
  std::string values;
  for (const Entry& entry : entries) {
    if (!indices.empty()) {
      indices += ", ";
      values += ", ";
    }
    append_number(indices, entry.column);
    append_number(values, entry.value);
  }
  return "\"indices\": [" + indices + "], \"values\": [" + values + "]";
}

std::string about_json(const Shipment& shipment, int64_t i) {
  std::string text;
  const std::string id = shipment.embeddings.ids.empty() ? "" : shipment.embeddings.ids[static_cast<size_t>(i)];
  if (!id.empty() && shipment.items.kind() != ItemKeys::Kind::numbers && code_points(id) > 0) {
    text += ", \"id\": ";
    append_json(text, id);
  }
  const std::string label = shipment.label(i);
  if (label.empty()) return text;
  text += ", \"label\": ";
  append_json(text, label);
  return text;
}

void write_tables(const Shipment& shipment, const Target& target, const AtomicFolder& folder) {
  write_items(shipment, folder);
  write_features(shipment, folder);
  write_expected(shipment, folder);
  const Survey& survey = shipment.survey;
  const nlohmann::ordered_json about = {{"format", "orthant.export.1"},  {"to", target.name},
                                        {"source", shipment.source},     {"name", shipment.name},
                                        {"rows", shipment.rows()},       {"columns", shipment.cols()},
                                        {"entries", survey.entries},     {"empty_rows", survey.empty_rows},
                                        {"longest_row", survey.longest}, {"largest", survey.largest},
                                        {"smallest", survey.smallest},   {"version", version()}};
  folder.write(kExportMark, about.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

std::string tables_text(const Shipment& shipment) {
  return fmt::format(
      "\n## Beside it\n\n"
      "- `items.csv`: row, key, id and label of each of the {} items\n"
      "- `features.csv`: column, key and name of each of the {} features\n"
      "- `expected.json`: {} items asked for, and what an exact search by inner product finds (scores above 0; of "
      "equal\n"
      "  ones the lower row comes first). Ask the same and compare.\n"
      "- `export.json`: what was exported\n",
      shipment.rows(), shipment.cols(), shipment.questions.size());
}

}  // namespace orthant::exchange
