#include "orthant/codec/netpbm.h"

#include <cstdint>
#include <string_view>

#include "orthant/codec/image_size.h"
#include "orthant/core/error.h"

namespace orthant::codec {
namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// The words of the header, and of a picture in plain text.
class Words {
 public:
  Words(std::string_view text, const std::string& name) : rest_(text), name_(name) {}

  // A number of at most 9 digits behind white space and comments.
  int64_t number(const char* what) {
    skip();
    int64_t value = 0;
    size_t digits = 0;
    for (; digits < rest_.size() && rest_[digits] >= '0' && rest_[digits] <= '9' && digits < 9; ++digits) {
      value = 10 * value + (rest_[digits] - '0');
    }
    check_io(digits > 0, "[", name_, "] expected ", what, " in the Netpbm file, got ",
             rest_.empty() ? "its end" : "something else");
    rest_.remove_prefix(digits);
    return value;
  }

  // The one character of white space that ends a header.
  void end_header() {
    check_io(!rest_.empty() && is_space(rest_.front()), "[", name_,
             "] expected white space behind the Netpbm header, got something else");
    rest_.remove_prefix(1);
  }

  std::string_view rest() const { return rest_; }

 private:
  void skip() {
    while (!rest_.empty() && (is_space(rest_.front()) || rest_.front() == '#')) {
      const size_t line = rest_.front() == '#' ? rest_.find('\n') : 0;
      rest_.remove_prefix(line == std::string_view::npos ? rest_.size() : line + 1);
    }
  }

  std::string_view rest_;
  const std::string& name_;
};

}  // namespace

bool looks_like_netpbm(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return text.size() >= 3 && text[0] == 'P' && std::string_view("2356").find(text[1]) != std::string_view::npos &&
         (is_space(text[2]) || text[2] == '#');
}

Image decode_netpbm(std::span<const std::byte> bytes, const std::string& name, int64_t max_pixels) {
  check_io(looks_like_netpbm(bytes), "[", name, "] expected a PGM or PPM picture, got other content");
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const bool plain = text[1] == '2' || text[1] == '3';
  const int64_t channels = text[1] == '2' || text[1] == '5' ? 1 : 3;
  Words words(text.substr(2), name);
  const int64_t width = words.number("a width");
  const int64_t height = words.number("a height");
  const int64_t levels = words.number("the largest value");
  check_image_size(height, width, max_pixels, name);
  check_io(levels >= 1 && levels <= 65'535, "[", name, "] expected a largest value from 1 to 65535, got ", levels);
  words.end_header();
  const int64_t values = width * height * channels;
  const int64_t each = plain || levels < 256 ? 1 : 2;  // a word takes a byte at least
  check_io(values * each <= static_cast<int64_t>(words.rest().size()), "[", name, "] expected ", values * each,
           " bytes or more for ", width, " x ", height, " pixels, got ", words.rest().size());

  Image image(height, width, channels);
  const auto byte = [&](size_t i) { return static_cast<int64_t>(static_cast<unsigned char>(words.rest()[i])); };
  for (size_t i = 0; i < image.pixels.size(); ++i) {
    const int64_t value = plain ? words.number("a value") : each == 1 ? byte(i) : byte(2 * i) << 8 | byte(2 * i + 1);
    check_io(value <= levels, "[", name, "] expected values up to ", levels, ", got ", value);
    image.pixels[i] = static_cast<uint8_t>((value * 255 + levels / 2) / levels);
  }
  return image;
}

}  // namespace orthant::codec
