#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace orthant::shards {

// Where processes hand over the parts of a file that rank 0 puts together, in the folder of that file, which all of
// them see; nothing else is needed, neither a port nor a common clock. Rank 0 draws a number and writes it to
// OUTPUT.parts; a part counts once it is called by that number, OUTPUT.part-RANK-of-RANKS-NUMBER.safetensors. So what
// an earlier, killed group left is never taken, and a process that saw an old number calls its part by the new one.
//
// Waiting looks every few milliseconds, calls `rest` each time, and ends when that throws; a process that is gone is
// for the launcher to notice. Files of its own are removed with the object. IoError if the system refuses.
class Meeting {
 public:
  using Rest = std::function<void()>;

  Meeting(const std::string& output, int64_t rank, int64_t ranks);
  ~Meeting();
  Meeting(const Meeting&) = delete;
  Meeting& operator=(const Meeting&) = delete;

  // Where this process writes its part.
  const std::string& part() const { return part_; }

  // Rank 0: waits for the parts of all, and returns their files in the order of the ranks.
  std::vector<std::string> collect(const Rest& rest);
  // Rank 0: the parts are not needed any more; lets the others go.
  void finish();

  // Any other rank: offers its part until rank 0 has finished with it.
  void hand_over(const Rest& rest);

 private:
  std::string called(int64_t rank, const std::string& number) const;
  // False if the part is not there any more.
  bool rename_part(const std::string& name);

  std::string output_;
  int64_t rank_;
  int64_t ranks_;
  std::string number_;  // drawn here: of the group for rank 0, a mere name for the others
  std::string part_;
};

}  // namespace orthant::shards
