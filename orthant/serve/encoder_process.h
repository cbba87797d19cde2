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

// A program that turns pictures into features, kept beside this one because it needs LibTorch. It is started with the
// first picture, started anew if it died, and ends with this object.
//
// What is said between the two, on the program's stdin and stdout, numbers as 32 bits in little endian:
//   question: length, then that many bytes of a PNG or JPEG file
//   answer:   kFeatures, length, then that many bytes of float32 in little endian: the features; or
//             kNoPicture or kFailed, length, then one line of text that says why
class EncoderProcess {
 public:
  enum Answer : uint32_t { kFeatures = 0, kNoPicture = 1, kFailed = 2 };
  static constexpr uint32_t kLongest = 64 << 20;  // of a question or an answer

  // `command` is the program's path and its arguments. An answer that takes longer than `patience` ends the program.
  // `stop` is asked several times a second; once it is true, pictures in work are given up with StatusError 503.
  explicit EncoderProcess(
      std::vector<std::string> command, std::chrono::milliseconds patience = std::chrono::seconds(60),
      std::function<bool()> stop = [] { return false; });
  ~EncoderProcess();
  EncoderProcess(const EncoderProcess&) = delete;
  EncoderProcess& operator=(const EncoderProcess&) = delete;

  // The features of a picture. Safe from several threads; one picture at a time, the others wait. StatusError 415 if it
  // is no picture or too large for the program, 500 if that fails, 503 if it takes too long.
  std::vector<float> encode(std::string_view picture);

 private:
  class Child;

  std::vector<float> ask(std::string_view picture);

  std::vector<std::string> command_;
  std::chrono::milliseconds patience_;
  std::function<bool()> stop_;
  std::mutex mutex_;  // guards child_, and is held until the answer is there: one picture at a time
  std::unique_ptr<Child> child_;
};

}  // namespace orthant::serve
