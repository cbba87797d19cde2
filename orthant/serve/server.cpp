#include "orthant/serve/server.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <mutex>
#include <unordered_map>

#include "orthant/core/error.h"
#include "orthant/serve/exchange.h"
#include "orthant/serve/listener.h"
#include "orthant/serve/workers.h"

namespace orthant::serve {
namespace {

using State = Connection::State;

constexpr uint64_t kListener = 0;
constexpr uint64_t kWake = 1;
constexpr int kTick = 100;  // milliseconds between looks at the clock

// An answer on its way from a worker to the loop.
struct Done {
  uint64_t id;  // of the connection, which may be gone by now
  Exchange::Answer answer;
};

size_t connections_for(size_t wanted) {
  constexpr size_t kOwnFiles = 64;
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur == RLIM_INFINITY) return wanted;
  const size_t open = files.rlim_cur > 2 * kOwnFiles ? files.rlim_cur - kOwnFiles : kOwnFiles;
  return std::min(wanted, open);
}

}  // namespace

// Two kinds of threads meet here.
//
// The loop is the thread in run(). It alone touches the listener, the connections and everything else that is not named
// below, so none of that is locked. It sleeps in epoll_wait() only, and never for a client or a worker.
//
// The workers run one job for each request (start()). A job owns the request's bytes and knows its connection by number
// only: it must not touch the connection, which the loop may close meanwhile. Numbers are never used again, so a late
// answer finds its connection or none, never another one. Of the parts, jobs use `exchange`, which is safe from several
// threads, `done` under `done_mutex`, and `wake`.
//
// Who wakes whom: the loop wakes a worker by Workers::submit(). A worker wakes the loop by writing to `wake`, after it
// has put its answer into `done`; the loop empties `wake` before it takes from `done`, so an answer that comes in
// between wakes it once more and none is left lying. Signals interrupt epoll_wait(), and it ends by itself after kTick.
//
// A connection in kWorking has exactly one job, waiting or running; all others have none. It is the job's answer that
// takes it out of that state, so neither the clock nor make_room() closes it before: only its client's hanging up does.
struct Server::Parts {
  Parts(Handler handler, const ServerOptions& given)
      : options(given),
        listener(listen_on(given.address, given.port)),
        poll(::epoll_create1(EPOLL_CLOEXEC)),
        exchange(std::move(handler)),
        wake(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)),
        workers(given.workers, given.most_waiting) {
    options.most_connections = connections_for(given.most_connections);
    const bool waiting = watch(EPOLL_CTL_ADD, listener.socket.get(), kListener, EPOLLIN) &&
                         watch(EPOLL_CTL_ADD, wake.get(), kWake, EPOLLIN);
    check_io(waiting, "[serve] expected to wait for clients, got: ", io::error_text(errno));
  }

  bool watch(int operation, int file, uint64_t id, uint32_t events) const {
    epoll_event event{};
    event.events = events;
    event.data.u64 = id;
    return ::epoll_ctl(poll.get(), operation, file, &event) == 0;
  }

  void accept_all();
  bool make_room();
  void heard(uint64_t id, uint32_t events);
  void advance(uint64_t id, Connection& connection);
  void start(uint64_t id, Connection& connection);
  void take_answers();
  void settle(uint64_t id, Connection& connection);
  void look_at_clock();
  void wait();
  bool busy();

  // The loop's own.
  ServerOptions options;
  Listener listener;
  io::FileDescriptor poll;
  std::unordered_map<uint64_t, Connection> connections;
  uint64_t next_id = kWake + 1;
  bool stopping = false;

  // Shared with the workers.
  const Exchange exchange;
  const io::FileDescriptor wake;  // an eventfd: any thread may write
  std::mutex done_mutex;          // guards done; held for a push or a swap
  std::vector<Done> done;

  Workers workers;  // last, so that it ends its threads before anything that their jobs use goes
};

// Closes the connection that was silent the longest: of those between two requests, else of those that send a request,
// else of those that take in an answer.
bool Server::Parts::make_room() {
  const auto rank = [](const Connection& connection) {
    const bool writing = connection.state() == State::kWriting;
    return std::pair(writing ? 2 : connection.begun() ? 1 : 0, connection.last_heard());
  };
  auto victim = connections.end();
  for (auto it = connections.begin(); it != connections.end(); ++it) {
    if (it->second.state() == State::kWorking) continue;
    if (victim == connections.end() || rank(it->second) < rank(victim->second)) victim = it;
  }
  if (victim == connections.end()) return false;
  connections.erase(victim);
  return true;
}

void Server::Parts::accept_all() {
  for (;;) {
    if (connections.size() >= options.most_connections && !make_room()) return;
    io::FileDescriptor socket(::accept4(listener.socket.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (socket.get() < 0) {
      if ((errno == EMFILE || errno == ENFILE) && make_room()) continue;
      return;
    }
    const int on = 1;
    ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    const uint64_t id = next_id++;
    if (!watch(EPOLL_CTL_ADD, socket.get(), id, EPOLLIN)) continue;
    connections.try_emplace(id, std::move(socket), options.patience, options.limits);
  }
}

void Server::Parts::start(uint64_t id, Connection& connection) {
  const Frame frame = connection.frame();
  const auto request = std::make_shared<std::string>(connection.take_request());
  const bool taken = workers.submit([this, id, frame, request] {  // from here on a worker
    Exchange::Answer answer;
    try {
      answer = exchange.answer(*request, frame);
    } catch (const std::bad_alloc&) {
      answer.close = true;
    }
    {
      const std::lock_guard lock(done_mutex);
      done.push_back({id, std::move(answer)});
    }
    const uint64_t one = 1;
    [[maybe_unused]] const ssize_t ignored = ::write(wake.get(), &one, sizeof(one));
  });
  if (!taken) connection.answer(Exchange::refuse(503, "busy: too many requests wait"));
}

// Goes on until the connection waits for its client or a worker; requests may come one behind the other.
void Server::Parts::advance(uint64_t id, Connection& connection) {
  while (connection.ready()) {
    if (connection.frame().status != 0) {
      const Frame frame = connection.frame();
      connection.answer(Exchange::refuse(frame.status, frame.reason));
    } else {
      start(id, connection);
    }
  }
  if (!connection.admitted()) {
    size_t held = 0;
    for (const auto& [other, one] : connections) held += one.held();
    if (held <= options.most_held) {
      connection.admit();
    } else {
      connection.answer(Exchange::refuse(503, "busy: too many large requests at once"));
    }
  }
  settle(id, connection);
}

void Server::Parts::settle(uint64_t id, Connection& connection) {
  const bool ends = stopping && (connection.state() == State::kReading || connection.state() == State::kDraining);
  if (connection.state() == State::kClosed || ends) {
    connections.erase(id);
    return;
  }
  const bool reads = connection.state() == State::kReading || connection.state() == State::kDraining;
  const bool writes = connection.state() == State::kWriting;
  watch(EPOLL_CTL_MOD, connection.socket(), id, reads ? EPOLLIN : writes ? EPOLLOUT : 0U);
}

void Server::Parts::heard(uint64_t id, uint32_t events) {
  const auto found = connections.find(id);
  if (found == connections.end()) return;
  Connection& connection = found->second;
  if ((events & (EPOLLERR | EPOLLHUP)) != 0 && (events & EPOLLIN) == 0) {
    connections.erase(found);
    return;
  }
  if ((events & EPOLLOUT) != 0) connection.flush();
  if ((events & EPOLLIN) != 0) connection.receive();
  advance(id, connection);
}

// First empties `wake`, then `done`: the other way round an answer could be overlooked.
void Server::Parts::take_answers() {
  uint64_t count = 0;
  [[maybe_unused]] const ssize_t ignored = ::read(wake.get(), &count, sizeof(count));
  std::vector<Done> ready;
  {
    const std::lock_guard lock(done_mutex);
    ready.swap(done);
  }
  for (Done& one : ready) {
    const auto found = connections.find(one.id);
    if (found == connections.end()) continue;
    found->second.answer(std::move(one.answer));
    advance(one.id, found->second);
  }
}

void Server::Parts::look_at_clock() {
  const Clock::time_point now = Clock::now();
  std::vector<uint64_t> late;
  for (const auto& [id, connection] : connections) {
    if (connection.state() != State::kWorking && connection.deadline() < now) late.push_back(id);
  }
  for (const uint64_t id : late) {
    Connection& connection = connections.at(id);
    if (connection.state() == State::kReading && connection.begun()) {
      connection.answer(Exchange::refuse(408, "expected the rest of the request sooner"));
      settle(id, connection);
    } else {
      connections.erase(id);
    }
  }
}

bool Server::Parts::busy() {
  return std::any_of(connections.begin(), connections.end(), [](const auto& entry) {
    return entry.second.state() == State::kWorking || entry.second.state() == State::kWriting;
  });
}

void Server::Parts::wait() {
  std::array<epoll_event, 128> events;
  const int count = ::epoll_wait(poll.get(), events.data(), static_cast<int>(events.size()), kTick);
  for (int e = 0; e < count; ++e) {
    const epoll_event& event = events[static_cast<size_t>(e)];
    if (event.data.u64 == kListener) {
      accept_all();
    } else if (event.data.u64 == kWake) {
      take_answers();
    } else {
      heard(event.data.u64, event.events);
    }
  }
}

Server::Server(Handler handler, const ServerOptions& options)
    : parts_(std::make_unique<Parts>(std::move(handler), options)) {}
Server::~Server() = default;

int Server::port() const { return parts_->listener.port; }

void Server::run(const std::function<bool()>& stop, std::chrono::milliseconds grace) {
  Clock::time_point looked = Clock::now();
  while (!stop()) {
    parts_->wait();
    if (Clock::now() - looked < std::chrono::milliseconds(kTick)) continue;
    looked = Clock::now();
    parts_->look_at_clock();
  }
  parts_->stopping = true;
  parts_->listener.socket = {};
  std::erase_if(parts_->connections, [](const auto& entry) { return entry.second.state() == State::kReading; });
  // Workers may still be busy when the grace is over: what they then put into `done` is dropped with it.
  const Clock::time_point end = Clock::now() + grace;
  while (parts_->busy() && Clock::now() < end) parts_->wait();
  parts_->connections.clear();
}

}  // namespace orthant::serve
