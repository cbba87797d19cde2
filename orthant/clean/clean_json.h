#pragma once

#include <functional>
#include <string>

#include "orthant/clean/clean.h"

namespace orthant::clean {

// What items, classes and features are called; each may be empty.
struct CleanNames {
  std::function<std::string(int64_t item)> item = {};        // default: its number
  std::function<std::string(int64_t item)> bank_item = {};   // of the bank
  std::function<std::string(int64_t label)> klass = {};      // default: its number
  std::function<std::string(int64_t feature)> feature = {};  // default: f0, f1, ...
};

// Why an item is suspect, in words: "labelled cat, frog is 12 times as likely (61 % beside 5 %): wheels, f88".
std::string words_of(const Suspect& suspect, const CleanNames& names);

// How a kind was judged, and what to expect of it: one sentence.
std::string words_of(const CleanReport& report, Kind kind);

// {"items", "kinds": [{"kind", "count", "words"}], "labels", "distances", "suspects": [...]} with at most `most`
// suspects of a kind (0: all); "count" counts them all. Without names ("page" documents) only numbers are given.
std::string to_json(const CleanReport& report, const CleanNames& names, int64_t most = 0);

// A table with a row for each suspect: kind, item, id, score, label, suggested, own, likelier, other, other_id,
// distance, words.
std::string to_csv(const CleanReport& report, const CleanNames& names);

}  // namespace orthant::clean
