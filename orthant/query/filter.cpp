#include "orthant/query/filter.h"

#include <algorithm>
#include <utility>

#include "orthant/core/error.h"
#include "orthant/query/scanner.h"

namespace orthant::query {
namespace {

constexpr int kDeepest = 64;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

bool Condition::holds(float value) const {
  switch (kind) {
    case Kind::above:
      return value > number;
    case Kind::at_least:
      return value >= number;
    case Kind::below:
      return value < number;
    default:
      return value <= number;
  }
}

bool Condition::holds(std::string_view id) const {
  if (kind == Kind::id_is) return id == text;
  const auto same = [](char a, char b) { return lower(a) == lower(b); };
  return text.empty() || std::search(id.begin(), id.end(), text.begin(), text.end(), same) != id.end();
}

class FilterParser {
 public:
  FilterParser(std::string_view text, const Vocabulary& words) : scanner_(text, "filter"), words_(words) {}

  Filter whole() {
    alternatives(0);
    if (!scanner_.at_end()) scanner_.fail_here("'and', 'or' or the end");
    return std::move(filter_);
  }

 private:
  void alternatives(int depth) {
    together(depth);
    while (scanner_.take_keyword("or")) {
      together(depth);
      filter_.steps_.push_back(Filter::kOr);
    }
  }

  void together(int depth) {
    negation(depth);
    while (scanner_.take_keyword("and")) {
      negation(depth);
      filter_.steps_.push_back(Filter::kAnd);
    }
  }

  void negation(int depth) {
    const bool negated = scanner_.take_keyword("not");
    if (scanner_.take("(")) {
      check(depth < kDeepest, "[filter] expected parentheses at most ", kDeepest, " deep, got more");
      alternatives(depth + 1);
      if (!scanner_.take(")")) scanner_.fail_here("'and', 'or' or ')'");
    } else {
      filter_.steps_.push_back(static_cast<int32_t>(filter_.conditions_.size()));
      filter_.conditions_.push_back(condition());
    }
    if (negated) filter_.steps_.push_back(Filter::kNot);
  }

  Condition condition() {
    for (const char* const keyword : {"and", "or", "not"}) {
      if (scanner_.sees_keyword(keyword)) scanner_.fail_here("a condition");
    }
    if (scanner_.take_keyword("class")) return on_class();
    if (scanner_.take_keyword("id")) return on_id();
    const Word name = scanner_.word("a feature, 'class' or 'id'");
    Condition condition{.kind = Condition::Kind::above, .feature = words_.feature(name.text, scanner_.where())};
    if (scanner_.take(">=")) {
      condition.kind = Condition::Kind::at_least;
    } else if (scanner_.take("<=")) {
      condition.kind = Condition::Kind::at_most;
    } else if (scanner_.take("<")) {
      condition.kind = Condition::Kind::below;
    } else if (!scanner_.take(">")) {
      return condition;
    }
    condition.number = scanner_.number("a number");
    return condition;
  }

  Condition on_class() {
    Condition condition{.kind = Condition::Kind::class_is};
    if (scanner_.take("!=")) {
      condition.kind = Condition::Kind::class_not;
    } else if (!scanner_.take("=")) {
      scanner_.fail_here("= or != behind 'class'");
    }
    condition.label = words_.label(scanner_.value("the name of a class"), scanner_.where());
    return condition;
  }

  Condition on_id() {
    Condition condition{.kind = Condition::Kind::id_is};
    if (scanner_.take("~")) {
      condition.kind = Condition::Kind::id_contains;
    } else if (!scanner_.take("=")) {
      scanner_.fail_here("= or ~ behind 'id'");
    }
    condition.text = scanner_.value("an id or a part of one");
    return condition;
  }

  Scanner scanner_;
  const Vocabulary& words_;
  Filter filter_;
};

Filter Filter::parse(std::string_view text, const Vocabulary& words) { return FilterParser(text, words).whole(); }

}  // namespace orthant::query
