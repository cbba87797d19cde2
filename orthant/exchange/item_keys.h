#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "orthant/core/embeddings.h"

namespace orthant::exchange {

// Ids that a format cannot take; row numbers it can.
struct IdsDoNotFit : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

// What the items are called in another program. Keys stay the same when items come and go, as far as the embeddings
// have ids: these are the keys, as numbers if all of them are whole numbers. Without ids it is the row's number.
class ItemKeys {
 public:
  enum class Kind { rows, numbers, texts };

  // Borrows the embeddings. IdsDoNotFit naming `source` for an id that occurs twice, is not UTF-8, has
  // control characters or is longer than `max_bytes`; with `row_numbers`, ids do not matter.
  ItemKeys(const Embeddings& embeddings, const std::string& source, bool row_numbers, int64_t max_bytes);

  Kind kind() const { return kind_; }
  bool are_numbers() const { return kind_ != Kind::texts; }
  int64_t longest() const { return longest_; }  // bytes of the longest text

  std::string text(int64_t i) const;
  // A number, or a string in quotes.
  std::string json(int64_t i) const;
  // For programs that take nothing but whole numbers and UUIDs: a number, or in quotes the UUID (version 5, in the
  // name space of URLs) of "orthant:" and the text.
  std::string json_number_or_uuid(int64_t i) const;

 private:
  const Embeddings* embeddings_;
  Kind kind_ = Kind::rows;
  int64_t longest_ = 0;
};

// The UUID of version 5 (RFC 9562: the first half of a SHA-1) of a name in the name space of URLs.
std::string uuid_of(const std::string& name);

}  // namespace orthant::exchange
