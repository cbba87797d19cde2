#include "orthant/texts/topics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "orthant/core/error.h"
#include "orthant/core/rng.h"

namespace orthant {
namespace {

constexpr uint16_t kStream = 0xff1e;
constexpr int64_t kTrainSize = 8'000;
constexpr int64_t kTestSize = 2'000;
constexpr double kPlain = 0.5;   // share of the words of every text
constexpr double kTopic = 0.62;  // of all others, those of the topic,
constexpr double kAside = 0.24;  // and of the second topic

using Words = std::array<std::string_view, 24>;

struct Topic {
  std::string_view name;
  Words words;  // the earlier, the more common
};

constexpr std::array<Topic, 12> kTopics = {{
    {"sea", {"ship",   "harbour", "wave",  "sailor", "tide",  "anchor", "coast",      "captain",
             "island", "boat",    "storm", "deck",   "shore", "net",    "mast",       "whale",
             "pilot",  "cargo",   "reef",  "rudder", "gull",  "cabin",  "lighthouse", "voyage"}},
    {"kitchen",
     {"oven", "bread", "butter", "pan",   "salt",  "recipe", "flour", "onion",  "sauce", "knife", "sugar", "pepper",
      "soup", "dough", "garlic", "spoon", "roast", "cheese", "lemon", "pastry", "boil",  "basil", "plate", "ladle"}},
    {"garden",
     {"rose",    "seed",    "soil", "spade", "hedge", "bloom", "lawn",  "root", "weed", "petal", "tulip", "prune",
      "compost", "orchard", "leaf", "rake",  "bulb",  "ivy",   "shrub", "bee",  "stem", "moss",  "fern",  "mulch"}},
    {"music", {"violin", "song",    "piano",    "rhythm",  "choir", "melody", "drum",  "concert",
               "guitar", "chord",   "singer",   "opera",   "tune",  "flute",  "stage", "band",
               "tempo",  "trumpet", "audience", "harmony", "lyric", "cello",  "score", "encore"}},
    {"sport", {"goal",    "team",   "coach",  "match",   "league",  "referee", "player",   "stadium",
               "tackle",  "sprint", "trophy", "defence", "striker", "penalty", "fans",     "pitch",
               "athlete", "medal",  "racket", "relay",   "keeper",  "season",  "champion", "helmet"}},
    {"medicine", {"doctor", "patient", "nurse",   "fever",   "dose",  "surgery",   "clinic",  "virus",
                  "heart",  "pulse",   "symptom", "vaccine", "wound", "tablet",    "disease", "blood",
                  "lung",   "therapy", "bandage", "allergy", "ward",  "infection", "scalpel", "remedy"}},
    {"space", {"orbit",     "planet", "rocket", "star",    "moon",     "comet",   "galaxy",   "telescope",
               "crew",      "launch", "probe",  "gravity", "asteroid", "shuttle", "crater",   "lander",
               "satellite", "nebula", "module", "eclipse", "meteor",   "cosmos",  "thruster", "capsule"}},
    {"law", {"court",    "judge",  "lawyer",  "trial",    "jury",   "verdict", "witness",   "crime",
             "contract", "appeal", "statute", "evidence", "clause", "prison",  "plaintiff", "sentence",
             "theft",    "guilt",  "oath",    "bail",     "treaty", "fine",    "lawsuit",   "charge"}},
    {"school", {"teacher", "pupil",    "lesson",  "exam",    "grammar",   "homework",  "chalk",   "essay",
                "library", "grade",    "student", "desk",    "textbook",  "algebra",   "college", "pencil",
                "lecture", "spelling", "tutor",   "diploma", "classroom", "geography", "quiz",    "campus"}},
    {"weather", {"rain",    "cloud", "wind",     "snow",   "thunder",     "forecast",  "frost",    "sunshine",
                 "fog",     "hail",  "drought",  "breeze", "temperature", "lightning", "flood",    "barometer",
                 "drizzle", "gale",  "humidity", "ice",    "heatwave",    "rainbow",   "blizzard", "mist"}},
    {"money", {"bank", "loan",     "market",    "price",    "share",    "tax",      "profit",  "budget",
               "debt", "coin",     "trade",     "interest", "investor", "account",  "wage",    "credit",
               "fund", "currency", "inflation", "broker",   "mortgage", "dividend", "invoice", "auction"}},
    {"computers", {"program", "screen",  "memory",   "file",      "keyboard", "server",   "code",  "network",
                   "disk",    "printer", "software", "cursor",    "password", "compiler", "bug",   "chip",
                   "folder",  "modem",   "database", "algorithm", "laptop",   "router",   "pixel", "backup"}},
}};

constexpr std::array<std::string_view, 48> kPlainWords = {
    "the",   "a",    "of",  "and",   "to",    "in",    "was",   "that",   "it",   "with",  "for",  "on",
    "as",    "had",  "by",  "at",    "from",  "but",   "not",   "they",   "this", "were",  "then", "when",
    "which", "one",  "all", "would", "there", "their", "said",  "some",   "more", "could", "out",  "about",
    "over",  "only", "new", "after", "first", "many",  "where", "before", "long", "still", "good", "last"};

class Topics final : public Dataset {
 public:
  explicit Topics(const TopicsOptions& options) : size_(options.size), seed_(options.seed) {
    check(options.split == "train" || options.split == "test", "[topics] expected the split train or test, got ",
          options.split);
    check(size_ >= 0, "[topics] expected a size of 0 or more, got ", size_);
    if (size_ == 0) size_ = options.split == "train" ? kTrainSize : kTestSize;
    info_.name = "topics";
    info_.split = options.split;
    info_.text = true;
    FactorInfo factor;
    for (const Topic& topic : kTopics) {
      info_.class_names.emplace_back(topic.name);
      factor.values.push_back(static_cast<float>(factor.values.size()));
    }
    factor.names = info_.class_names;
    for (const char* name : {"topic", "aside"}) {
      factor.name = name;
      info_.factors.push_back(factor);
    }
  }

  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return size_; }
  int64_t label(int64_t i) const override { return static_cast<int64_t>(about(i).topic); }
  std::string id(int64_t i) const override {
    check_index(i);
    return std::to_string(i);
  }
  void factors(int64_t i, std::span<int32_t> classes) const override {
    check_factors(classes);
    const About subject = about(i);
    classes[0] = static_cast<int32_t>(subject.topic);
    classes[1] = static_cast<int32_t>(subject.aside);
  }

  std::vector<std::string> texts(int64_t i) const override {
    About subject = about(i);
    std::string text;
    const uint64_t sentences = 3 + subject.rng.below(5);
    for (uint64_t s = 0; s < sentences; ++s) {
      const size_t begin = text.size();
      const uint64_t words = 6 + subject.rng.below(8);
      for (uint64_t w = 0; w < words; ++w) {
        if (w > 0) text += ' ';
        text += word(subject);
      }
      text[begin] = static_cast<char>(text[begin] - 'a' + 'A');
      text += s + 1 < sentences ? ". " : ".";
    }
    return {text};
  }

 private:
  struct About {
    size_t topic;
    size_t aside;
    Rng rng;
  };

  About about(int64_t i) const {
    check_index(i);
    Rng rng(
        {.seed = seed_, .epoch = info_.split == "test" ? 1U : 0U, .sample = static_cast<uint64_t>(i), .view = kStream});
    const size_t topic = rng.below(kTopics.size());
    const size_t aside = (topic + 1 + rng.below(kTopics.size() - 1)) % kTopics.size();
    return {topic, aside, rng};
  }

  // Earlier words come more often, about as one over the square root of their place.
  template <class List>
  static std::string_view common_first(const List& words, Rng& rng) {
    const double x = rng.uniform();
    return words[static_cast<size_t>(x * x * static_cast<double>(words.size()))];
  }

  static std::string_view word(About& subject) {
    Rng& rng = subject.rng;
    if (rng.bernoulli(kPlain)) return common_first(kPlainWords, rng);
    const double x = rng.uniform();
    const size_t topic = x < kTopic            ? subject.topic
                         : x < kTopic + kAside ? subject.aside
                                               : static_cast<size_t>(rng.below(kTopics.size()));
    return common_first(kTopics[topic].words, rng);
  }

  DatasetInfo info_;
  int64_t size_;
  uint64_t seed_;
};

}  // namespace

DatasetPtr make_topics(const TopicsOptions& options) { return std::make_shared<Topics>(options); }

}  // namespace orthant
