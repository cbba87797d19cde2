#include "orthant/launch/world.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "orthant/core/error.h"

namespace orthant {
namespace {

constexpr int64_t kMostProcesses = 1 << 20;
constexpr int64_t kFirstPort = 20'000;
constexpr int64_t kPorts = 10'000;

class Reader {
 public:
  explicit Reader(const Environment& environment) : environment_(environment) {}

  std::optional<std::string> text(const std::string& name) const {
    auto value = environment_(name);
    return value && value->empty() ? std::nullopt : value;
  }

  bool has(const std::string& name) const { return text(name).has_value(); }

  std::optional<int64_t> number(const std::string& name, int64_t min, int64_t max) const {
    const auto value = text(name);
    if (!value) return std::nullopt;
    int64_t parsed = 0;
    const char* const end = value->data() + value->size();
    const auto [stopped, error] = std::from_chars(value->data(), end, parsed);
    check(error == std::errc() && stopped == end && parsed >= min && parsed <= max, "[", name,
          "] expected a number from ", min, " to ", max, ", got '", *value, "'");
    return parsed;
  }

  int64_t wanted(const std::string& name, int64_t min, int64_t max, const std::string& because) const {
    const auto value = number(name, min, max);
    check(value.has_value(), "[", name, "] expected it beside ", because, ", got none");
    return *value;
  }

 private:
  const Environment& environment_;
};

// The variables of a launcher for the same four numbers.
struct Names {
  const char* launcher;
  const char* rank;
  const char* size;
  const char* local_rank;
  const char* local_size;  // or null: not told in one number
};

constexpr Names kTorch = {"environment", "RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE"};
constexpr Names kOpenMpi = {"openmpi", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
                            "OMPI_COMM_WORLD_LOCAL_SIZE"};
constexpr Names kSlurm = {"slurm", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", nullptr};

World counted(const Reader& read, const Names& names) {
  World world;
  world.launcher = names.launcher;
  world.size = read.wanted(names.size, 1, kMostProcesses, names.rank);
  world.rank = read.wanted(names.rank, 0, world.size - 1, names.size);
  world.local_rank = read.number(names.local_rank, 0, world.rank).value_or(0);
  world.local_size = world.local_rank + 1;
  if (names.local_size != nullptr) {
    world.local_size = read.number(names.local_size, world.local_size, world.size).value_or(world.local_size);
  }
  world.restart = read.number("TORCHELASTIC_RESTART_COUNT", 0, kMostProcesses).value_or(0);
  return world;
}

// The same for every process of a job, other for most other jobs: FNV-1a.
int64_t port_of(const std::string& job) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : job) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return kFirstPort + static_cast<int64_t>(hash % static_cast<uint64_t>(kPorts));
}

void meet_at(World& world, const Reader& read, const std::string& address, const std::string& job) {
  world.address = read.text("MASTER_ADDR").value_or(address);
  world.port = read.number("MASTER_PORT", 1, 65535).value_or(port_of(job));
}

World by_environment(const Reader& read) {
  World world = counted(read, kTorch);
  if (world.size == 1) return world;
  const auto address = read.text("MASTER_ADDR");
  check(address.has_value(), "[MASTER_ADDR] expected the host of rank 0 beside RANK and WORLD_SIZE, got none");
  world.address = *address;
  world.port = read.wanted("MASTER_PORT", 1, 65535, "RANK and WORLD_SIZE");
  world.kept_by_launcher = read.text("TORCHELASTIC_USE_AGENT_STORE") == "True";
  if (read.has("TORCHELASTIC_RUN_ID")) world.launcher = "torchrun";
  return world;
}

World by_open_mpi(const Reader& read) {
  World world = counted(read, kOpenMpi);
  if (world.size == 1) return world;
  check(world.local_size == world.size || read.has("MASTER_ADDR"),
        "[MASTER_ADDR] expected the host of rank 0, since Open MPI does not tell it on several machines, got none; "
        "'mpirun -x MASTER_ADDR=HOST ...' sets it");
  meet_at(world, read, "127.0.0.1", read.text("PMIX_NAMESPACE").value_or(""));
  return world;
}

World by_slurm(const Reader& read) {
  World world = counted(read, kSlurm);
  if (world.size == 1) return world;
  const auto hosts = read.text("SLURM_STEP_NODELIST");
  check(hosts || read.has("MASTER_ADDR"), "[SLURM_STEP_NODELIST] expected it beside SLURM_PROCID, got none");
  meet_at(world, read, hosts ? first_host(*hosts) : "",
          read.text("SLURM_JOB_ID").value_or("") + "." + read.text("SLURM_STEP_ID").value_or(""));
  return world;
}

World described(const Reader& read) {
  if (const auto file = read.text("ORTHANT_GROUP_FILE")) {
    World world = counted(read, kTorch);
    world.launcher = "orthant";
    world.file = *file;
    return world;
  }
  if (read.has("RANK") && read.has("WORLD_SIZE")) return by_environment(read);
  if (read.has("OMPI_COMM_WORLD_RANK")) return by_open_mpi(read);
  if (read.has("SLURM_PROCID") && read.has("SLURM_STEP_NUM_TASKS")) return by_slurm(read);
  return {};
}

}  // namespace

World read_world(const Environment& environment) {
  World world = described(Reader(environment));
  return world.size == 1 ? World{.restart = world.restart} : world;
}

World world_of_this_process() {
  return read_world([](const std::string& name) -> std::optional<std::string> {
    const char* const value = std::getenv(name.c_str());
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
  });
}

std::string first_host(const std::string& list) {
  const size_t end = list.find_first_of(",[");
  std::string host = list.substr(0, end);
  if (end != std::string::npos && list[end] == '[') {
    const size_t stop = list.find_first_of(",-]", end + 1);
    check(stop != std::string::npos && stop > end + 1, "[SLURM_STEP_NODELIST] expected a number behind '[', got '",
          list, "'");
    const size_t close = list.find(']', stop);
    check(close != std::string::npos, "[SLURM_STEP_NODELIST] expected ']' behind '[', got '", list, "'");
    host += list.substr(end + 1, stop - end - 1);
    const size_t next = std::min(list.find_first_of(",[", close + 1), list.size());
    host += list.substr(close + 1, next - close - 1);
  }
  check(!host.empty(), "[SLURM_STEP_NODELIST] expected the name of a host, got '", list, "'");
  return host;
}

}  // namespace orthant
