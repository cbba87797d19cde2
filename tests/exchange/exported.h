#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "orthant/exchange/export.h"
#include "orthant/io/csv.h"
#include "tests/exchange/items.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace orthant::exchange {

inline std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> lines;
  std::istringstream text(test::read_bytes(path));
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

// Readers that several formats share, written from their definitions.

inline std::map<int64_t, float> from_lists(const nlohmann::json& vector) {
  std::map<int64_t, float> row;
  EXPECT_EQ(vector.at("indices").size(), vector.at("values").size());
  int64_t before = -1;
  for (size_t k = 0; k < vector.at("indices").size(); ++k) {
    const auto column = vector.at("indices")[k].get<int64_t>();
    EXPECT_GT(column, before) << "sorted and unique";
    before = column;
    row[column] = vector.at("values")[k].get<float>();
    EXPECT_NE(row[column], 0);
  }
  return row;
}

inline std::map<int64_t, float> from_weights(const nlohmann::json& weights,
                                             const std::map<std::string, int64_t>& columns) {
  std::map<int64_t, float> row;
  for (const auto& [key, value] : weights.items()) row[columns.at(key)] = value.get<float>();
  EXPECT_EQ(row.size(), weights.size());
  return row;
}

inline std::map<std::string, int64_t> numbers(int64_t cols) {
  std::map<std::string, int64_t> columns;
  for (int64_t j = 0; j < cols; ++j) columns[std::to_string(j)] = j;
  return columns;
}

inline std::vector<std::string> parts_of(const std::filesystem::path& folder, const std::string& prefix) {
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().filename().string().starts_with(prefix)) found.push_back(entry.path());
  }
  std::ranges::sort(found);
  return found;
}

class Export : public ::testing::Test {
 protected:
  std::string write(const std::string& to, const Embeddings& items, ExportOptions options = {}) {
    options.to = to;
    options.source = "items.safetensors";
    const std::string path = folder_ / (to + std::to_string(++count_));
    summary_ = export_embeddings(items, path, options);
    return path;
  }
  std::string refusal(const std::string& to, const Embeddings& items, ExportOptions options = {}) {
    const std::string message = test::message_of([&] { write(to, items, options); });
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path())) << "nothing is left of a refused export";
    return message;
  }
  // key -> column, as features.csv says.
  static std::map<std::string, int64_t> features(const std::string& path) {
    std::map<std::string, int64_t> columns;
    for (const io::CsvRow& row : io::read_csv(path + "/features.csv")) {
      if (row.line > 1) columns[row.cells.at(1)] = std::stoll(row.cells.at(0));
    }
    return columns;
  }

  test::TemporaryFolder folder_;
  ExportSummary summary_;
  int count_ = 0;
};

}  // namespace orthant::exchange
