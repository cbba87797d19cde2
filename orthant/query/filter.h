#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "orthant/query/vocabulary.h"

namespace orthant::query {

// One condition on an item.
struct Condition {
  enum class Kind {
    above,        // its value of `feature` is > number
    at_least,     // >=
    below,        // <
    at_most,      // <=
    class_is,     // its label is `label`
    class_not,    // is another or unknown
    id_is,        // its id is `text`
    id_contains,  // contains `text`; letters A to Z of either case are the same
  };
  Kind kind;
  int64_t feature = 0;
  float number = 0;  // single precision, as features are: f1 > 0.3 does not hold for 0.3
  int64_t label = 0;
  std::string text = {};

  bool on_feature() const { return kind <= Kind::at_most; }
  // For conditions on features.
  bool holds(float value) const;
  // For conditions on ids.
  bool holds(std::string_view id) const;
};

// Conditions joined by and, or, not.
//
//   filter    := or ;  or := and {"or" and} ;  and := not {"and" not} ;  not := ["not"] (condition | "(" filter ")")
//   condition := FEATURE [(">" | ">=" | "<" | "<=") NUMBER]      a bare feature means > 0
//              | "class" ("=" | "!=") VALUE
//              | "id" ("=" | "~") VALUE                           ~ contains
//
// FEATURE is a name or f12, quoted if it is not a plain word ([A-Za-z_][A-Za-z0-9_-]*) or is a keyword; VALUE is
// quoted if it has a space or one of ( ) , " = < > ! ~ in it. \" and \\ are escapes. Keywords are of either case.
class Filter {
 public:
  // In the order to apply them to a stack of truths: conditions()[n] for n >= 0, or one of these.
  static constexpr int32_t kNot = -1;
  static constexpr int32_t kAnd = -2;
  static constexpr int32_t kOr = -3;

  // std::invalid_argument that says what was expected where; parentheses go 64 deep at most.
  static Filter parse(std::string_view text, const Vocabulary& words);

  const std::vector<Condition>& conditions() const { return conditions_; }
  const std::vector<int32_t>& steps() const { return steps_; }

  // Whether it holds where holds(condition) says so of each condition.
  template <class Holds>
  bool matches(Holds&& holds) const {
    std::vector<bool> stack;
    for (const int32_t step : steps_) {
      if (step >= 0) {
        stack.push_back(holds(conditions_[static_cast<size_t>(step)]));
      } else if (step == kNot) {
        stack.back() = !stack.back();
      } else {
        const bool right = stack.back();
        stack.pop_back();
        stack.back() = step == kAnd ? stack.back() && right : stack.back() || right;
      }
    }
    return stack.back();
  }

 private:
  friend class FilterParser;
  std::vector<Condition> conditions_;
  std::vector<int32_t> steps_;
};

}  // namespace orthant::query
