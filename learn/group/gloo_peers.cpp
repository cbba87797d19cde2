#include "learn/group/gloo_peers.h"

#include <ATen/ATen.h>
#include <torch/csrc/distributed/c10d/FileStore.hpp>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <optional>
#include <thread>

#include "learn/group/closed_port.h"
#include "learn/group/own_address.h"
#include "learn/group/peers.h"
#include "learn/group/watch.h"
#include "orthant/core/error.h"

namespace orthant {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;
using StorePtr = c10::intrusive_ptr<c10d::Store>;

constexpr double kStart = 4;               // times the timeout: programs do not start at the same moment everywhere
constexpr Seconds kLooks = Seconds(0.02);  // between two looks into the store
constexpr Seconds kAnswer = Seconds(3);    // that a store has to answer in when something is wrong
constexpr Seconds kSilence = Seconds(3);   // more than two beats

std::chrono::milliseconds milliseconds(Seconds time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time);
}

// Of what LibTorch says, the first line without the place in its source.
std::string first_line(const std::string& text) {
  std::string line = text.substr(0, text.find('\n'));
  if (line.starts_with("[.") || line.starts_with("[/")) line.erase(0, std::min(line.find("] ") + 2, line.size()));
  return line;
}

std::string key(const char* kind, int64_t number) { return std::string(kind) + "/" + std::to_string(number); }

// A connection of its own to where the ranks meet. Rank 0 keeps the store with its first one.
StorePtr connect(const World& world, Seconds patience, bool keep) {
  if (!world.file.empty()) return c10::make_intrusive<c10d::FileStore>(world.file, -1);
  c10d::TCPStoreOptions options;
  options.port = static_cast<std::uint16_t>(world.port);
  options.isServer = keep && world.rank == 0 && !world.kept_by_launcher;
  options.waitWorkers = false;
  options.timeout = milliseconds(patience);
  return c10::make_intrusive<c10d::PrefixStore>(key("orthant", world.restart),
                                                c10::make_intrusive<c10d::TCPStore>(world.address, options));
}

std::shared_ptr<::gloo::transport::Device> device_for(const World& world) {
  using Gloo = c10d::ProcessGroupGloo;
  if (!world.file.empty()) return Gloo::createDeviceForHostname("127.0.0.1");
  const char* const interface = std::getenv("GLOO_SOCKET_IFNAME");
  if (interface != nullptr && *interface != '\0') return Gloo::createDeviceForInterface(interface);
  return Gloo::createDeviceForHostname(own_address(world.address, world.port));
}

class GlooPeers : public Peers {
 public:
  GlooPeers(const World& world, const GroupOptions& options)
      : world_(world), timeout_(options.timeout), store_(meet()), watch_(second_connection(), world.rank) {
    auto settings = c10d::ProcessGroupGloo::Options::create(milliseconds(timeout_));
    settings->devices = {device_for(world)};
    settings->threads = 2;
    watch_.now("connecting");
    guard("connecting", [&] {
      group_ = c10::make_intrusive<c10d::ProcessGroupGloo>(store_, static_cast<int>(world.rank),
                                                           static_cast<int>(world.size), settings);
    });
    // All ranks have their connections by now, and LibTorch 1.13 lets its store listen on every address.
    if (keeps_store()) close_port(world_.port);
  }

  ~GlooPeers() override {
    if (gone_) {
      static_cast<void>(group_.release());  // its threads may wait for those that are gone; the program ends
      return;
    }
    watch_.write(key("done", rank()), "1", kAnswer);
    if (keeps_store()) {
      // The store goes with this process: not before everybody has read what they need.
      const auto end = Clock::now() + timeout_;
      for (int64_t r = 1; r < size(); ++r) {
        std::string value;
        while (Clock::now() < end && watch_.look(key("done", r), value, kAnswer) && value.empty()) {
          std::this_thread::sleep_for(kLooks);
        }
      }
    }
  }
  GlooPeers(const GlooPeers&) = delete;
  GlooPeers& operator=(const GlooPeers&) = delete;

  int64_t rank() const override { return world_.rank; }
  int64_t size() const override { return world_.size; }

  void gather(const at::Tensor& in, const at::Tensor& out, const char* what) override {
    watch_.now(what);
    guard(what, [&] {
      std::vector<at::Tensor> inputs = {in};
      std::vector<std::vector<at::Tensor>> outputs = {out.unbind(0)};
      group_->allgather(outputs, inputs)->wait();
    });
    watch_.now(kComputing);
  }

  PendingSum begin_sum(const at::Tensor& values, const char* what) override {
    c10::intrusive_ptr<c10d::Work> work;
    guard(what, [&] {
      std::vector<at::Tensor> tensors = {values};
      work = group_->allreduce(tensors);
    });
    return PendingSum([this, work, what] {
      watch_.now(what);
      guard(what, [&] { work->wait(); });
      watch_.now(kComputing);
    });
  }

  void broadcast(const at::Tensor& values, const char* what) override {
    watch_.now(what);
    guard(what, [&] {
      std::vector<at::Tensor> tensors = {values};
      group_->broadcast(tensors)->wait();
    });
    watch_.now(kComputing);
  }

  std::string told_by_first(const char* what, const std::function<std::string()>& work) override {
    const std::string name = key("told", told_++);
    watch_.now(what);
    if (rank() == 0) {
      try {
        const std::string text = work();
        tell(name, "1" + text, what);
        watch_.now(kComputing);
        return text;
      } catch (const std::exception& error) {
        watch_.write(name, std::string("0") + error.what(), kAnswer);
        throw;
      }
    }
    const std::string text = await(name, 0, what);
    if (text[0] == '0') lose("rank 0 ended: " + first_line(text.substr(1)));
    watch_.now(kComputing);
    return text.substr(1);
  }

  std::vector<std::string> texts(const char* what, const std::string& text) override {
    const std::string name = key("texts", told_++);
    watch_.now(what);
    tell(key(name.c_str(), rank()), "1" + text, what);
    std::vector<std::string> all;
    for (int64_t r = 0; r < size(); ++r) {
      all.push_back(r == rank() ? text : await(key(name.c_str(), r), r, what).substr(1));
    }
    watch_.now(kComputing);
    return all;
  }

  void leave(const std::string& why) noexcept override {
    try {
      if (!gone_) watch_.write(key("left", rank()), first_line(why), kAnswer);
      gone_ = true;
    } catch (...) {  // the others find out by themselves
    }
  }

 private:
  static constexpr const char* kComputing = "computing";

  bool keeps_store() const { return world_.rank == 0 && world_.file.empty() && !world_.kept_by_launcher; }

  // The store, once all ranks have been there.
  StorePtr meet() const {
    const auto end = Clock::now() + kStart * timeout_;
    const auto absent = [&](const std::string& who) {
      return PeerLost(join("[rank ", world_.rank, "] expected all ", world_.size, " ranks within ",
                           (kStart * timeout_).count(), " seconds of the start, got no sign of ", who));
    };
    StorePtr store;
    try {
      store = connect(world_, kStart * timeout_, true);
    } catch (const std::exception& error) {
      if (world_.rank == 0) {
        fail_io("[", world_.address, ":", world_.port,
                "] expected to listen there for the other ranks, got: ", first_line(error.what()));
      }
      throw absent(join("rank 0 at ", world_.address, ":", world_.port));
    }
    store->set(key("here", world_.rank), {1});
    std::string missing;
    for (int64_t r = 0; r < world_.size; ++r) {
      try {
        while (!store->check({key("here", r)})) {
          if (Clock::now() > end) {
            missing += (missing.empty() ? "rank " : ", ") + std::to_string(r);
            break;
          }
          std::this_thread::sleep_for(kLooks);
        }
      } catch (const std::exception&) {
        throw absent("rank 0, which kept the meeting point");
      }
    }
    if (!missing.empty()) throw absent(missing);
    return store;
  }

  std::shared_ptr<c10d::Store> second_connection() const {
    try {
      const StorePtr store = connect(world_, timeout_, false);
      return {store.get(), [store](c10d::Store*) {}};
    } catch (const std::exception& error) {
      throw PeerLost(
          join("[rank ", world_.rank, "] expected to reach the meeting point again, got: ", first_line(error.what())));
    }
  }

  template <class Call>
  void guard(const char* what, const Call& call) {
    try {
      call();
    } catch (const std::exception& error) {
      lose(diagnosis(first_line(error.what())), what);
    }
  }

  [[noreturn]] void lose(const std::string& who, const char* what = nullptr) {
    gone_ = true;
    throw PeerLost(join("[rank ", rank(), "] ", what == nullptr ? "" : "expected all ranks at '",
                        what == nullptr ? "" : what, what == nullptr ? "" : "', got: ", who));
  }

  // Who is gone: a rank that said why it left, or one that is silent and did not say that it misses somebody itself.
  std::string diagnosis(const std::string& error) {
    watch_.write(key("lost", rank()), error, kAnswer);
    std::vector<std::string> before(static_cast<size_t>(size()));
    for (int64_t r = 0; r < size(); ++r) {
      if (!watch_.look(key("beat", r), before[static_cast<size_t>(r)], kAnswer)) return no_store();
    }
    std::string silent;
    for (const auto end = Clock::now() + kSilence; Clock::now() < end;) {
      for (int64_t r = 0; r < size(); ++r) {
        std::string why;
        if (!watch_.look(key("left", r), why, kAnswer)) return no_store();
        if (!why.empty()) return join("rank ", r, " ended: ", why);
      }
      std::this_thread::sleep_for(Seconds(0.1));
    }
    for (int64_t r = 0; r < size(); ++r) {
      std::string beat;
      std::string lost;
      if (!watch_.look(key("lost", r), lost, kAnswer) || !watch_.look(key("beat", r), beat, kAnswer)) return no_store();
      if (r == rank() || !lost.empty() || beat != before[static_cast<size_t>(r)]) continue;
      silent += join(silent.empty() ? "" : "; ", "rank ", r, " no longer answers, last heard of at '",
                     beat.substr(std::min(beat.find(' ') + 1, beat.size())), "'");
    }
    return silent.empty() ? join("a broken connection, though all ranks are alive: ", error) : silent;
  }

  std::string no_store() const {
    return world_.kept_by_launcher ? "the launcher, which keeps the meeting point, no longer answers"
                                   : "rank 0, which keeps the meeting point, no longer answers";
  }

  void tell(const std::string& name, const std::string& text, const char* what) {
    if (!watch_.write(name, text, timeout_)) lose(no_store(), what);
  }

  // A text that rank `from` will tell, for as long as it is alive.
  std::string await(const std::string& name, int64_t from, const char* what) {
    std::string text;
    std::string beat;
    auto heard = Clock::now();
    for (;;) {
      if (!watch_.look(name, text, timeout_)) lose(no_store(), what);
      if (!text.empty()) return text;
      std::string why;
      std::string latest;
      if (!watch_.look(key("left", from), why, timeout_) || !watch_.look(key("beat", from), latest, timeout_)) {
        lose(no_store(), what);
      }
      if (!why.empty()) lose(join("rank ", from, " ended: ", why), what);
      if (latest != beat) {
        beat = latest;
        heard = Clock::now();
      }
      if (Clock::now() - heard > timeout_) {
        lose(join("rank ", from, " no longer answers, last heard of at '",
                  beat.substr(std::min(beat.find(' ') + 1, beat.size())), "'"),
             what);
      }
      std::this_thread::sleep_for(kLooks);
    }
  }

  const World world_;
  const Seconds timeout_;
  StorePtr store_;
  Watch watch_;
  c10::intrusive_ptr<c10d::ProcessGroupGloo> group_;
  int64_t told_ = 0;
  bool gone_ = false;  // this rank said that it leaves, or lost another
};

class RehearsedPeers : public Peers {
 public:
  explicit RehearsedPeers(int64_t size) : size_(size) {}

  int64_t rank() const override { return 0; }
  int64_t size() const override { return size_; }
  void gather(const at::Tensor& in, const at::Tensor& out, const char* /*what*/) override {
    out.copy_(in.unsqueeze(0).expand_as(out));
  }
  PendingSum begin_sum(const at::Tensor& /*values*/, const char* /*what*/) override { return PendingSum(); }
  void broadcast(const at::Tensor& /*values*/, const char* /*what*/) override {}
  std::string told_by_first(const char* /*what*/, const std::function<std::string()>& work) override { return work(); }
  std::vector<std::string> texts(const char* /*what*/, const std::string& text) override {
    return std::vector<std::string>(static_cast<size_t>(size_), text);
  }
  void leave(const std::string& /*why*/) noexcept override {}

 private:
  int64_t size_;
};

}  // namespace

Group join_group(const World& world, const GroupOptions& options) {
  check(options.timeout > Seconds(0), "[group] expected a positive timeout, got ", options.timeout.count());
  return world.size == 1 ? Group() : Group(std::make_shared<GlooPeers>(world, options));
}

Group rehearsed_group(int64_t size) {
  check(size >= 1, "[group] expected at least one rank, got ", size);
  return size == 1 ? Group() : Group(std::make_shared<RehearsedPeers>(size));
}

}  // namespace orthant
