#include "orthant/serve/connection.h"

#include <sys/socket.h>

#include <array>
#include <cerrno>

namespace orthant::serve {
namespace {

constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

bool would_wait(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

}  // namespace

Connection::Connection(io::FileDescriptor socket, const Patience& patience, const FrameLimits& limits)
    : socket_(std::move(socket)), patience_(patience), limits_(limits), last_heard_(Clock::now()) {
  await(patience_.head);
}

void Connection::receive() {
  std::array<char, 65536> buffer;
  const ssize_t count = ::recv(socket(), buffer.data(), buffer.size(), 0);
  if (count < 0) {
    if (!would_wait(errno)) state_ = State::kClosed;
    return;
  }
  if (count == 0) {
    state_ = State::kClosed;
    return;
  }
  last_heard_ = Clock::now();
  if (state_ == State::kDraining) return;
  if (input_.empty()) await(patience_.head);
  input_.append(buffer.data(), static_cast<size_t>(count));
}

bool Connection::ready() {
  if (state_ != State::kReading || input_.empty()) return false;
  if (frame_.head == 0) {
    frame_ = frame_request(input_, limits_);
    if (frame_.status != 0) return true;
    if (frame_.head == 0) return false;
    await(patience_.body);
  }
  if (frame_.waits && !continued_ && input_.size() == frame_.head && frame_.size > frame_.head) {
    continued_ = true;
    if (::send(socket(), kContinue.data(), kContinue.size(), MSG_NOSIGNAL) < 0) state_ = State::kClosed;
  }
  return input_.size() >= frame_.size;
}

std::string Connection::take_request() {
  std::string request;
  if (input_.size() == frame_.size) {
    request.swap(input_);
  } else {
    request = input_.substr(0, frame_.size);
    input_.erase(0, frame_.size);
  }
  state_ = State::kWorking;
  return request;
}

void Connection::answer(Exchange::Answer answer) {
  frame_ = {};
  continued_ = false;
  admitted_ = false;
  output_ = std::move(answer.bytes);
  written_ = 0;
  close_after_ = answer.close;
  state_ = State::kWriting;
  await(patience_.write);
  flush();
}

void Connection::flush() {
  while (state_ == State::kWriting && written_ < output_.size()) {
    const ssize_t count = ::send(socket(), output_.data() + written_, output_.size() - written_, MSG_NOSIGNAL);
    if (count < 0) {
      if (!would_wait(errno)) state_ = State::kClosed;
      return;
    }
    written_ += static_cast<size_t>(count);
    await(patience_.write);
  }
  if (state_ == State::kWriting) finish_answer();
}

// A socket that is closed with bytes unread is reset, and the client may lose the answer: so those are read first.
void Connection::finish_answer() {
  output_ = {};
  if (!close_after_) {
    state_ = State::kReading;
    await(input_.empty() ? patience_.idle : patience_.head);
    return;
  }
  input_ = {};
  ::shutdown(socket(), SHUT_WR);
  state_ = State::kDraining;
  await(patience_.drain);
}

}  // namespace orthant::serve
