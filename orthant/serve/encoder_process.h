#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace orthant::serve {

// A program that turns pictures and texts into features, kept beside this one because it needs LibTorch. It is started
// with the first of them, started anew if it died, and ends with this object.
//
// What is said between the two, on the program's stdin and stdout, numbers as 32 bits in little endian:
//   question: kPicture, length, then that many bytes of a PNG or JPEG file; or kText, length, and as many of UTF-8; or
//             kWhere, length, and as many of a question about a picture (orthant/heat/question.h)
//   answer:   kFeatures, length, then that many bytes of float32 in little endian: the features, or maps as
//             orthant/heat/heat_maps.h has them; or
//             kRefused or kFailed, length, then one line of text that says why
class EncoderProcess {
 public:
  enum Question : uint32_t { kPicture = 0, kText = 1, kWhere = 2 };
  enum Answer : uint32_t { kFeatures = 0, kRefused = 1, kFailed = 2 };
  static constexpr uint32_t kLongest = 64 << 20;  // of a question or an answer

  // `command` is the program's path and its arguments. An answer that takes longer than `patience` ends the program.
  // `stop` is asked several times a second; once it is true, what is in work is given up with StatusError 503.
  explicit EncoderProcess(
      std::vector<std::string> command, std::chrono::milliseconds patience = std::chrono::seconds(60),
      std::function<bool()> stop = [] { return false; });
  ~EncoderProcess();
  EncoderProcess(const EncoderProcess&) = delete;
  EncoderProcess& operator=(const EncoderProcess&) = delete;

  // The features of a picture or a text, or maps. Safe from several threads; one at a time, the others wait.
  // StatusError if the program refuses it, as no picture or too large (415) or as a text that it cannot read (400); 500
  // if it fails, 503 if it takes too long.
  std::vector<float> encode(Question kind, std::string_view bytes);

 private:
  class Child;

  std::vector<float> ask(Question kind, std::string_view bytes);

  std::vector<std::string> command_;
  std::chrono::milliseconds patience_;
  std::function<bool()> stop_;
  std::mutex mutex_;  // guards child_, and is held until the answer is there: one question at a time
  std::unique_ptr<Child> child_;
};

}  // namespace orthant::serve
