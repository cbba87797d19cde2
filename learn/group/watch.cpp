#include "learn/group/watch.h"

#include <torch/csrc/distributed/c10d/Store.hpp>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <thread>

namespace orthant {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kBeat = std::chrono::seconds(1);
constexpr auto kFarewell = std::chrono::seconds(1);

std::vector<uint8_t> bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

}  // namespace

struct Watch::State {
  std::shared_ptr<c10d::Store> store;
  std::string key;
  std::atomic<const char*> what = "starting";
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<void()>> wishes;
  bool stop = false;
  std::promise<void> done;

  void work() {
    int64_t count = 0;
    auto next = Clock::now();
    for (;;) {
      std::function<void()> wish;
      {
        std::unique_lock lock(mutex);
        changed.wait_until(lock, next, [&] { return stop || !wishes.empty(); });
        if (wishes.empty() && stop) break;
        if (!wishes.empty()) {
          wish = std::move(wishes.front());
          wishes.pop_front();
        }
      }
      if (wish) wish();
      if (Clock::now() < next) continue;
      next = Clock::now() + kBeat;
      try {
        store->set(key, bytes_of(std::to_string(++count) + " " + what.load()));
      } catch (...) {  // whoever waits for something finds out
      }
    }
    store.reset();
    done.set_value();
  }
};

Watch::Watch(std::shared_ptr<c10d::Store> store, int64_t rank) : state_(std::make_shared<State>()) {
  state_->store = std::move(store);
  state_->key = "beat/" + std::to_string(rank);
  std::thread([state = state_] { state->work(); }).detach();
}

Watch::~Watch() {
  auto done = state_->done.get_future();
  {
    const std::lock_guard lock(state_->mutex);
    state_->stop = true;
  }
  state_->changed.notify_all();
  done.wait_for(kFarewell);  // a thread that waits for a dead store is left alone with what it needs
}

void Watch::now(const char* what) { state_->what = what; }

bool Watch::ask(std::function<void(c10d::Store& store)> work, std::chrono::duration<double> patience) {
  auto promise = std::make_shared<std::promise<bool>>();
  auto answer = promise->get_future();
  {
    const std::lock_guard lock(state_->mutex);
    state_->wishes.push_back([state = state_.get(), promise, work = std::move(work)] {
      try {
        work(*state->store);
        promise->set_value(true);
      } catch (...) {
        promise->set_value(false);
      }
    });
  }
  state_->changed.notify_all();
  return answer.wait_for(patience) == std::future_status::ready && answer.get();
}

bool Watch::look(const std::string& key, std::string& value, std::chrono::duration<double> patience) {
  auto found = std::make_shared<std::string>();
  const bool answered = ask(
      [key, found](c10d::Store& store) {
        if (!store.check({key})) return;
        const auto bytes = store.get(key);
        found->assign(bytes.begin(), bytes.end());
      },
      patience);
  if (answered) value = *found;
  return answered;
}

bool Watch::write(const std::string& key, const std::string& value, std::chrono::duration<double> patience) {
  return ask([key, value](c10d::Store& store) { store.set(key, bytes_of(value)); }, patience);
}

}  // namespace orthant
