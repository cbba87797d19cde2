#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace c10d {
class Store;
}

namespace orthant {

// Everything that a rank does with the store where the ranks meet, once they have met: a thread of its own that tells
// once a second that the rank is alive ("beat/RANK") and does what it is asked for, so that nobody ever waits for a
// store that does not answer longer than they want to.
class Watch {
 public:
  // Takes over a connection that nobody else uses.
  Watch(std::shared_ptr<c10d::Store> store, int64_t rank);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  // What the rank is doing: told with every beat.
  void now(const char* what);

  // Whether `work` was done on the store within `patience`; false also if it threw. It may still be done later, so it
  // must own what it uses.
  bool ask(std::function<void(c10d::Store& store)> work, std::chrono::duration<double> patience);

  // The value of a key, or nothing if there is none: an empty text. False as above.
  bool look(const std::string& key, std::string& value, std::chrono::duration<double> patience);
  bool write(const std::string& key, const std::string& value, std::chrono::duration<double> patience);

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace orthant
