#include "orthant/sounds/spoken.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/core/temporary_folder.h"
#include "orthant/core/threads.h"
#include "orthant/folders/place.h"
#include "orthant/io/atomic_file.h"
#include "orthant/io/file_descriptor.h"
#include "orthant/sound/decode.h"
#include "orthant/sound/encode.h"
#include "orthant/sound/resample.h"
#include "orthant/sounds/sound_folder.h"

namespace orthant {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kRate = 16'000;
constexpr std::array<std::string_view, 20> kWords = {"yes",  "no",   "up",  "down",  "left",  "right", "on",
                                                     "off",  "stop", "go",  "zero",  "one",   "two",   "three",
                                                     "four", "five", "six", "seven", "eight", "nine"};
constexpr std::array kSpeeds = {120, 160, 200};
constexpr std::array kPitches = {30, 50, 70};

struct Voice {
  std::string_view name;
  std::string_view code;  // as espeak-ng knows it
  bool test = false;
};

constexpr std::array<Voice, 20> kVoices = {{
    {"us-m1", "en-us+m1"},
    {"us-m3", "en-us+m3"},
    {"us-m7", "en-us+m7"},
    {"us-f2", "en-us+f2"},
    {"us-f4", "en-us+f4"},
    {"us-andy", "en-us+Andy"},
    {"us-annie", "en-us+Annie"},
    {"us-max", "en-us+max"},
    {"gb-m2", "en-gb+m2"},
    {"gb-m4", "en-gb+m4"},
    {"gb-m5", "en-gb+m5"},
    {"gb-f1", "en-gb+f1"},
    {"gb-f3", "en-gb+f3"},
    {"gb-steph", "en-gb+steph"},
    {"scot-m6", "en-gb-scotland+m6"},
    {"scot-linda", "en-gb-scotland+linda"},
    {"us-michael", "en-us+Michael", true},
    {"us-f5", "en-us+f5", true},
    {"gb-belinda", "en-gb+belinda", true},
    {"scot-robert", "en-gb-scotland+robert", true},
}};

struct Setting {
  Voice voice;
  int speed = 0;
  int pitch = 0;
};

std::vector<Setting> all_settings() {
  std::vector<Setting> all;
  for (const Voice& voice : kVoices) {
    for (const int speed : kSpeeds) {
      for (const int pitch : kPitches) all.push_back({voice, speed, pitch});
    }
  }
  return all;
}

std::string file_of(std::string_view word, const Setting& setting) {
  return join(setting.voice.test ? "test" : "train", "/", word, "/", setting.voice.name, "-", setting.speed, "-",
              setting.pitch, ".flac");
}

std::string words_in_ssml() {
  std::string text = "<speak>";
  for (const std::string_view word : kWords) text += join("<p><s>", word, "</s></p><break time=\"800ms\"/>");
  return text + "</speak>";
}

// Runs a program that says nothing; its exit code.
int run_quietly(std::vector<std::string> command) {
  std::vector<char*> argv;
  for (std::string& part : command) argv.push_back(part.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    ::posix_spawn_file_actions_addopen(&files, file, "/dev/null", O_RDWR, 0);
  }
  pid_t child = 0;
  const int failure = ::posix_spawnp(&child, argv[0], &files, nullptr, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&files);
  check_io(failure == 0, "[spoken] expected the program ", command[0],
           ", which says the words once, got: ", std::strerror(failure),
           "; install it: on Debian, apt-get install espeak-ng");
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) check_io(errno == EINTR, "[spoken] lost ", command[0]);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// The folder takes its name when all of them are there and on disk.
void write(const std::string& path, const Sound& sound) {
  const std::vector<std::byte> bytes = sound::encode_flac(sound);
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), std::ssize(bytes));
  file.close();
  check_io(!file.fail(), "[", path, "] expected to write ", bytes.size(), " bytes, got a failure");
}

void sync_all(const std::string& folder) {
  const io::FileDescriptor file(::open(folder.c_str(), O_RDONLY | O_CLOEXEC));
  check_io(::syncfs(file.get()) == 0, "[", folder, "] expected to bring it to disk, got: ", std::strerror(errno));
}

void say(const Setting& setting, const std::string& program, const std::string& place) {
  const std::string wav = join(place, "/", setting.voice.name, "-", setting.speed, "-", setting.pitch, ".wav");
  const int code =
      run_quietly({program, "-m", "-v", std::string(setting.voice.code), "-s", std::to_string(setting.speed), "-p",
                   std::to_string(setting.pitch), "-w", wav, words_in_ssml()});
  check_io(code == 0, "[spoken] expected ", program, " to speak as ", setting.voice.code, ", got exit code ", code);
  const std::vector<Sound> words = parted_by_silence(sound::resampled(sound::read(wav), kRate));
  check_io(words.size() == kWords.size(), "[spoken] expected ", kWords.size(), " words from ", program, ", got ",
           words.size(), " with the voice ", setting.voice.code);
  for (size_t w = 0; w < words.size(); ++w) write(place + "/" + file_of(kWords[w], setting), words[w]);
  fs::remove(wav);
}

std::string table(const std::vector<Setting>& settings) {
  std::string text = "file,label,word,voice,speed,pitch\n";
  for (const std::string_view word : kWords) {
    for (const Setting& s : settings) {
      text += join(file_of(word, s), ",", word, ",", word, ",", s.voice.name, ",", s.speed, ",", s.pitch, "\n");
    }
  }
  return text;
}

// Says all of them into a folder of another name, which then takes its own.
void make(const SpokenOptions& options) {
  const fs::path folder = options.folder;
  std::error_code error;
  fs::create_directories(folder.parent_path(), error);
  check_io(!error, "[", folder.parent_path().string(),
           "] expected a folder to keep spoken words in, got: ", error.message());
  const TemporaryFolder making(folder.parent_path().string());
  const std::string place = making.path() + "/spoken";
  for (const char* split : {"train", "test"}) {
    for (const std::string_view word : kWords) fs::create_directories(fs::path(place) / split / word);
  }
  const std::vector<Setting> settings = all_settings();
  parallel_for(std::ssize(settings), 1, options.threads, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) say(settings[static_cast<size_t>(i)], options.program, place);
  });
  io::write_file(place + "/labels.csv", table(settings));
  sync_all(place);
  fs::rename(place, folder, error);
  // Another process may have been first.
  check_io(!error || spoken_is_there(options.folder), "[", options.folder,
           "] expected to keep spoken words there, got: ", error.message());
}

}  // namespace

bool spoken_is_there(const std::string& folder) { return is_there(folder + "/labels.csv"); }

std::vector<Sound> parted_by_silence(const Sound& sound) {
  constexpr float kAudible = 0.001F;
  const auto gap = static_cast<int64_t>(0.3 * static_cast<double>(sound.rate));
  const auto margin = static_cast<int64_t>(0.02 * static_cast<double>(sound.rate));
  const int64_t size = std::ssize(sound.samples);
  std::vector<Sound> parts;
  const auto add = [&](int64_t first, int64_t last) {
    const auto begin = sound.samples.begin();
    parts.push_back(
        {sound.rate, {begin + std::max<int64_t>(0, first - margin), begin + std::min(size, last + 1 + margin)}});
  };
  int64_t first = -1;
  int64_t last = -1;
  for (int64_t i = 0; i < size; ++i) {
    if (std::abs(sound.samples[static_cast<size_t>(i)]) < kAudible) continue;
    if (first >= 0 && i - last > gap) {
      add(first, last);
      first = i;
    }
    if (first < 0) first = i;
    last = i;
  }
  if (first >= 0) add(first, last);
  return parts;
}

DatasetPtr open_spoken(const SpokenOptions& options) {
  check_io(!options.folder.empty(), "[spoken] expected $HOME or $XDG_CACHE_HOME to say where spoken words are kept, ",
           "got neither");
  if (!spoken_is_there(options.folder)) make(options);
  return open_sound_folder(
      options.folder, {.split = options.split, .labels = options.folder + "/labels.csv", .threads = options.threads},
      "spoken");
}

}  // namespace orthant
