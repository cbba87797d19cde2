#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "orthant/catalogue/catalogue.h"

namespace orthant::report {

// What the page asks of items that a visitor has chosen or changed, as JSON text like that of documents.h.

// How every feature differs between the items where chosen [N] is true and all others.
std::string contrast_document(const catalogue::Catalogue& run, const std::vector<bool>& chosen);

// The rows of some items, in the order given, as compressed rows in base64: {"indptr", "indices", "values"}.
// std::invalid_argument for an item that is not there.
std::string rows_document(const catalogue::Catalogue& run, std::span<const int64_t> items);

// A feature that has another value.
struct FeatureChange {
  int64_t feature = 0;
  float value = 0;
};

// Item i as it would be with other values of some features (a later change of the same one counts): as an item, with
// what it is taken for, and for the nearest items before and after the change what the similarity was and is.
// std::invalid_argument for numbers that are not there or not finite.
std::string changed_document(const catalogue::Catalogue& run, int64_t i, std::span<const FeatureChange> changes);

// What each item would be taken for by a vote of its ten nearest others that have a label, one each, ties to the
// nearer: as "classifier" of the overview, with "k"; "null" without classes.
std::string vote_document(const catalogue::Catalogue& run);

}  // namespace orthant::report
