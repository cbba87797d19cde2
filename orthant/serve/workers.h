#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace orthant::serve {

// A fixed number of threads that take jobs in order from a queue of limited length.
class Workers {
 public:
  Workers(int threads, size_t most_waiting);
  // Finishes the jobs in work, drops those that wait, and ends the threads.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  // False if the queue is full: the job was not taken. A job must not throw. Safe from several threads.
  bool submit(std::function<void()> job);

 private:
  void work();

  size_t most_waiting_;
  std::mutex mutex_;                 // guards jobs_ and ending_; never held while a job runs
  std::condition_variable changed_;  // a job came, or ending_ was set: workers wait for it
  std::deque<std::function<void()>> jobs_;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace orthant::serve
