#include "orthant/io/npy_header.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace orthant::io {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kMaxDimensions = 32;

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Just enough of Python's literals for the dictionary that NumPy writes.
class Literal {
 public:
  Literal(std::string_view text, const std::string& name) : rest_(text), name_(name) {}

  // Takes `c` if it comes next.
  bool take(char c) {
    skip_space();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void expect(char c) {
    if (!take(c)) fail(std::string(1, c));
  }

  void expect_end() {
    skip_space();
    if (!rest_.empty()) fail("its end");
  }

  bool next_is_string() {
    skip_space();
    return !rest_.empty() && (rest_.front() == '\'' || rest_.front() == '"');
  }

  std::string string() {
    if (!next_is_string()) fail("a string");
    const char quote = rest_.front();
    const size_t end = rest_.find(quote, 1);
    if (end == std::string_view::npos) fail("a string that ends");
    std::string value(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return value;
  }

  bool boolean() {
    skip_space();
    for (const bool value : {true, false}) {
      const std::string_view word = value ? "True" : "False";
      if (rest_.starts_with(word)) {
        rest_.remove_prefix(word.size());
        return value;
      }
    }
    fail("True or False");
  }

  std::vector<int64_t> tuple() {
    std::vector<int64_t> values;
    expect('(');
    while (!take(')')) {
      if (values.size() == kMaxDimensions) fail("at most 32 dimensions");
      values.push_back(size());
      if (!take(',')) {
        expect(')');
        break;
      }
    }
    return values;
  }

  // Skips a structured type, the only nested value there is.
  void skip_list() {
    int depth = 0;
    do {
      skip_space();
      if (rest_.empty()) fail("']'");
      if (next_is_string()) {
        string();
        continue;
      }
      if (rest_.front() == '[') ++depth;
      if (rest_.front() == ']') --depth;
      rest_.remove_prefix(1);
    } while (depth > 0);
  }

  [[noreturn]] void fail(const std::string& expected) {
    fail_io("[", name_, "] expected ", expected, " in the .npy header, got ",
            rest_.empty() ? "its end" : printable(rest_.substr(0, 20)));
  }

  static std::string printable(std::string_view text) {
    std::string shown(text);
    std::ranges::replace_if(
        shown, [](char c) { return c < ' ' || c > '~'; }, '?');
    return shown;
  }

 private:
  void skip_space() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\n' || rest_.front() == '\t')) {
      rest_.remove_prefix(1);
    }
  }

  int64_t size() {
    skip_space();
    int64_t value = -1;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc() || value < 0) fail("a size");
    rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
    if (!rest_.empty() && rest_.front() == 'L') rest_.remove_prefix(1);  // Python 2
    return value;
  }

  std::string_view rest_;
  const std::string& name_;
};

}  // namespace

bool looks_like_npy(std::span<const std::byte> bytes) { return text_of(bytes).starts_with(kMagic); }

NpyHeader parse_npy_header(std::span<const std::byte> bytes, const std::string& name) {
  const std::string_view text = text_of(bytes);
  check_io(looks_like_npy(bytes), "[", name, "] expected a .npy file (it begins with \\x93NUMPY), got other content");
  const auto byte = [&](size_t i) { return static_cast<size_t>(bytes[i]); };
  check_io(bytes.size() >= 10, "[", name, "] expected a .npy header, got only ", bytes.size(), " bytes");
  const size_t version = byte(6);
  check_io(version >= 1 && version <= 3, "[", name, "] expected .npy version 1, 2 or 3, got ", version);
  const size_t start = version == 1 ? 10 : 12;
  check_io(bytes.size() >= start, "[", name, "] expected a .npy header, got only ", bytes.size(), " bytes");
  size_t length = byte(8) | byte(9) << 8;
  if (version > 1) length |= byte(10) << 16 | byte(11) << 24;
  check_io(length <= kMaxNpyHeader - start, "[", name, "] expected a .npy header of at most ", kMaxNpyHeader - start,
           " bytes, got ", length);
  check_io(length <= bytes.size() - start, "[", name, "] expected a .npy header of ", length, " bytes, got only ",
           bytes.size() - start);

  NpyHeader header;
  header.data_offset = start + length;
  bool has_descr = false, has_order = false, has_shape = false;
  Literal literal(text.substr(start, length), name);
  literal.expect('{');
  while (!literal.take('}')) {
    const std::string key = literal.string();
    literal.expect(':');
    if (key == "descr" && !has_descr) {
      has_descr = true;
      if (literal.next_is_string()) {
        header.descr = literal.string();
      } else {
        literal.skip_list();
      }
    } else if (key == "fortran_order" && !has_order) {
      has_order = true;
      header.fortran_order = literal.boolean();
    } else if (key == "shape" && !has_shape) {
      has_shape = true;
      header.shape = literal.tuple();
    } else {
      fail_io("[", name, "] expected descr, fortran_order and shape once each in the .npy header, got '",
              Literal::printable(key), "'");
    }
    if (!literal.take(',')) {
      literal.expect('}');
      break;
    }
  }
  literal.expect_end();
  check_io(has_descr && has_order && has_shape, "[", name,
           "] expected descr, fortran_order and shape in the .npy header, got fewer");
  check_io(checked_product(header.shape).has_value(), "[", name, "] expected a shape that fits in memory, got ",
           shape_text(header.shape));
  return header;
}

std::string npy_header_text(std::string_view descr, std::span<const int64_t> shape) {
  const std::string dictionary =
      join("{'descr': '", descr, "', 'fortran_order': False, 'shape': ", shape_text(shape), ", }");
  const size_t unpadded = kMagic.size() + 4 + dictionary.size() + 1;
  const size_t padding = (64 - unpadded % 64) % 64;
  const size_t length = dictionary.size() + padding + 1;
  check(length <= UINT16_MAX, "[npy] expected a shape of a few dimensions, got ", shape.size());
  std::string text(kMagic);
  text += {'\x01', '\x00', static_cast<char>(length & 0xff), static_cast<char>(length >> 8)};
  return text + dictionary + std::string(padding, ' ') + '\n';
}

}  // namespace orthant::io
