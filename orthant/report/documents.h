#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "orthant/catalogue/catalogue.h"
#include "orthant/catalogue/comparison.h"

namespace orthant::report {

// What the page is told, as JSON text (docs/api.md): one line, valid UTF-8, never NaN; null is "not defined".
// Activations are written as the shortest text that gives the same float32. std::invalid_argument for numbers that
// are not there. Safe from several threads.

// Of the runs of one page, which share their items: std::invalid_argument if there is none, or they do not.
std::string overview_document(std::span<const catalogue::Catalogue* const> runs);

std::string features_document(const catalogue::Catalogue& run);            // {"features": [cards]}
std::string feature_document(const catalogue::Catalogue& run, int64_t f);  // a feature's page
std::string items_document(const catalogue::Catalogue& run, int64_t offset, int64_t limit,
                           std::optional<int64_t> klass = {});
std::string item_document(const catalogue::Catalogue& run, int64_t i);
std::string explain_document(const catalogue::Catalogue& run, int64_t a, int64_t b);
std::string map_document(const catalogue::Catalogue& run, std::string_view name);
std::string activations_document(const catalogue::Catalogue& run, int64_t f);
std::string labels_document(const catalogue::Items& items);
std::string ids_document(const catalogue::Items& items);
// The first text of each item, at most 200 characters of it: {"texts": [strings]}; none at all without texts.
std::string texts_document(const catalogue::Items& items);
// All of them, as a report holds them: a list of strings for each item, at most 20 of at most 1,000 characters.
std::string all_texts_document(const catalogue::Items& items);
std::string compare_document(const catalogue::Comparison& comparison, int64_t a, int64_t b);  // of runs number a and b
// A picture from elsewhere with features [D]: as an item, and why it matches item `with`, or the best neighbour.
std::string embed_document(const catalogue::Catalogue& run, std::span<const float> row,
                           std::optional<int64_t> with = {});

}  // namespace orthant::report
