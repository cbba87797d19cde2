// For scripts/lint.sh: clang 14 cannot read LibTorch's headers with the std::vector of GCC 12, which evaluates its
// members at compile time also where their type is not complete yet. Here it does not.
#include <algorithm>
#include <memory>
#include <string>

#undef _GLIBCXX20_CONSTEXPR
#define _GLIBCXX20_CONSTEXPR
#define __fill_a1 lint_fill_a1  // declared constexpr by <algorithm> already
#include <vector>
#undef __fill_a1
#undef _GLIBCXX20_CONSTEXPR
#define _GLIBCXX20_CONSTEXPR constexpr
