#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>

#include "orthant/io/file_descriptor.h"
#include "orthant/serve/exchange.h"
#include "orthant/serve/framing.h"

namespace orthant::serve {

using Clock = std::chrono::steady_clock;

struct Patience {
  std::chrono::milliseconds idle{60'000};   // between two requests
  std::chrono::milliseconds head{10'000};   // from a request's first byte (or connecting) to the end of its head
  std::chrono::milliseconds body{60'000};   // from there to the end of its body
  std::chrono::milliseconds write{30'000};  // for the client to take in some of the answer
  std::chrono::milliseconds drain{2'000};   // for the client to read an answer that ends the connection
};

// One client: bytes in, at most one request in work, bytes out. Never waits. Belongs to one thread, that of the
// server's loop; workers never see it.
class Connection {
 public:
  enum class State {
    kReading,   // waits for (the rest of) a request
    kWorking,   // a request is with a worker; nothing is read meanwhile
    kWriting,   // an answer is on its way
    kDraining,  // the last answer is written; what the client still sends is thrown away until it hangs up
    kClosed,
  };

  // A connected socket that does not block, already accepted.
  Connection(io::FileDescriptor socket, const Patience& patience, const FrameLimits& limits);

  State state() const { return state_; }
  int socket() const { return socket_.get(); }
  Clock::time_point deadline() const { return deadline_; }
  Clock::time_point last_heard() const { return last_heard_; }
  // The next request is partly there.
  bool begun() const { return !input_.empty(); }
  // Bytes that its request takes or is announced to take.
  size_t held() const { return std::max(input_.size(), frame_.size); }
  // False from the head of a large request on, until admit(): the owner decides whether there is memory for it.
  bool admitted() const { return admitted_ || state_ != State::kReading || held() <= kSmallRequest; }
  void admit() { admitted_ = true; }

  // The socket can be read: takes what has come. May end in kClosed.
  void receive();
  // In kReading: true if a whole request is there (take it), or frame() says why it is refused.
  bool ready();
  const Frame& frame() const { return frame_; }
  // The whole request; from here on kWorking.
  std::string take_request();
  // From kReading or kWorking: starts to write; the state tells how far it came.
  void answer(Exchange::Answer answer);
  // The socket can be written: goes on.
  void flush();

 private:
  static constexpr size_t kSmallRequest = 65'536;

  void await(std::chrono::milliseconds patience) { deadline_ = Clock::now() + patience; }
  void finish_answer();

  io::FileDescriptor socket_;
  Patience patience_;
  FrameLimits limits_;
  State state_ = State::kReading;
  std::string input_;
  std::string output_;
  size_t written_ = 0;
  bool close_after_ = false;
  bool continued_ = false;
  bool admitted_ = false;
  Frame frame_;
  Clock::time_point deadline_;
  Clock::time_point last_heard_;
};

}  // namespace orthant::serve
