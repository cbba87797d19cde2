#include "orthant/serve/api.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <semaphore>

#include "orthant/catalogue/comparison.h"
#include "orthant/core/error.h"
#include "orthant/io/image_file.h"
#include "orthant/report/clean_document.h"
#include "orthant/report/documents.h"
#include "orthant/report/page_html.h"
#include "orthant/report/selection_documents.h"
#include "orthant/report/sound_blobs.h"
#include "orthant/report/where_document.h"
#include "orthant/serve/numbers.h"
#include "orthant/serve/route.h"
#include "orthant/serve/strip.h"
#include "orthant/serve/token.h"
#include "orthant/text/utf8.h"
#include "orthant/text/words.h"

namespace orthant::serve {
namespace {

using catalogue::Catalogue;

constexpr int64_t kLongestPage = 1000;
constexpr size_t kLongestLabel = 200'000;
constexpr size_t kLongestText = 10'000;
constexpr double kLongestSound = 60;  // seconds
constexpr int64_t kMostRows = 1'000;
constexpr int64_t kMostChanges = 64;

Reply json(std::string text) { return {.body = std::move(text)}; }

void check_picture(const Request& request) {
  if (io::looks_like_image(std::as_bytes(std::span(request.body)))) return;
  throw StatusError(415, request.body.empty() ? "expected a PNG or JPEG picture, got nothing"
                                              : "expected a PNG or JPEG picture, got other content");
}

}  // namespace

struct Api::State {
  State(std::vector<const Catalogue*> given, ApiOptions opts)
      : runs(std::move(given)),
        options(std::move(opts)),
        overview(report::overview_document(runs)),
        page(report::live_page_html()),
        etag(join('"', random_token(), '"')),
        slow(options.slow) {
    for (const size_t encoders : {options.encoders.size(), options.text_encoders.size(), options.mappers.size()}) {
      check(encoders == 0 || encoders == runs.size(), "[serve] expected an encoder for each of ", runs.size(),
            " runs, got ", encoders);
    }
  }

  const Catalogue& run(int64_t r) const {
    if (r >= std::ssize(runs)) throw StatusError(404, join("expected run 0 to ", runs.size() - 1, ", got ", r));
    return *runs[static_cast<size_t>(r)];
  }
  const catalogue::Items& items() const { return runs.front()->items(); }
  int64_t item(int64_t i) const {
    if (i < items().size()) return i;
    throw StatusError(404, join("expected item 0 to ", items().size() - 1, ", got ", i));
  }
  static int64_t feature(const Catalogue& run, int64_t f) {
    if (f < run.features()) return f;
    throw StatusError(404, join("expected feature 0 to ", run.features() - 1, ", got ", f));
  }

  // What may take seconds runs while the result lives.
  class Slow {
   public:
    explicit Slow(std::counting_semaphore<>& places) : places_(places) {
      if (!places_.try_acquire()) throw StatusError(503, "busy: try again in a moment");
    }
    ~Slow() { places_.release(); }
    Slow(const Slow&) = delete;
    Slow& operator=(const Slow&) = delete;

   private:
    std::counting_semaphore<>& places_;
  };

  Reply picture(const Request& request, const std::function<Image()>& make) const;
  Reply sound(const Request& request, int64_t i) const;
  Reply items_page(const Request& request, const Catalogue& run) const;
  Reply explain(const Request& request, const Catalogue& run) const;
  Reply strip(const Request& request) const;
  Reply compare(const Request& request);
  Reply clean(int64_t r);
  Reply label(const Request& request, const Catalogue& run, int64_t f) const;
  Reply contrast(const Request& request, const Catalogue& run);
  Reply rows(const Request& request, const Catalogue& run);
  Reply changed(const Request& request, const Catalogue& run, int64_t i);
  Reply embed(const Request& request, int64_t r);
  Reply embed_text(const Request& request, int64_t r);
  Reply embedded(const Request& request, int64_t r, const std::function<std::vector<float>(std::string_view)>& encode);
  const heat::Answer& mapper(int64_t r) const;
  Reply where(const Request& request, int64_t r, std::string picture, const report::WhereItem* asked);
  Reply item_where(const Request& request, int64_t r, int64_t i);
  Reply own_where(const Request& request, int64_t r);
  Reply show_page() const;
  Reply answer(const Request& request);
  Reply answer_run(const Request& request, const Match& match);

  std::vector<const Catalogue*> runs;
  ApiOptions options;
  std::string overview;
  std::string page;
  std::string etag;  // of everything that stays the same as long as this server runs
  std::counting_semaphore<> slow;
  std::mutex comparing;  // guards comparisons; held while one is computed, so that none is computed twice
  std::map<std::pair<int64_t, int64_t>, std::string> comparisons;
  std::mutex cleaning;  // guards suspects in the same way
  std::map<int64_t, std::string> suspects;
};

// Must be asked for again each time, because another server may have this port tomorrow; then it costs nothing.
Reply Api::State::picture(const Request& request, const std::function<Image()>& make) const {
  if (items().pictures == nullptr) throw StatusError(404, "there are no pictures: 'orthant explore' had no data set");
  Reply reply{.type = "image/png", .fields = {{"ETag", etag}, {"Cache-Control", "private, no-cache"}}};
  const std::string* known = request.field("if-none-match");
  if (known != nullptr && *known == etag) {
    reply.status = 304;
  } else {
    reply.body = io::encode_png(make());
  }
  return reply;
}

Reply Api::State::sound(const Request& request, int64_t i) const {
  if (!items().has_sounds()) throw StatusError(404, "there are no sounds: 'orthant explore' shows other items");
  Reply reply{.type = "audio/mpeg", .fields = {{"ETag", etag}, {"Cache-Control", "private, no-cache"}}};
  const std::string* known = request.field("if-none-match");
  if (known != nullptr && *known == etag) {
    reply.status = 304;
    return reply;
  }
  const std::vector<std::byte> bytes = report::item_mp3(items(), i, kLongestSound);
  reply.body.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return reply;
}

Reply Api::State::items_page(const Request& request, const Catalogue& run) const {
  const int64_t offset = number_or(request, "offset", 0);
  const int64_t limit = number_or(request, "limit", 100);
  check(limit >= 1 && limit <= kLongestPage, "expected a limit of 1 to ", kLongestPage, ", got ", limit);
  std::optional<int64_t> klass;
  if (request.query.contains("class")) klass = number(request, "class");
  return json(report::items_document(run, offset, limit, klass));
}

Reply Api::State::explain(const Request& request, const Catalogue& run) const {
  const int64_t a = item(number(request, "a"));
  return json(report::explain_document(run, a, item(number(request, "b"))));
}

Reply Api::State::strip(const Request& request) const {
  std::vector<int64_t> wanted = numbers(request, "items", kMostInStrip);
  for (const int64_t one : wanted) item(one);
  return picture(request, [&] { return picture_strip(items(), wanted); });
}

Reply Api::State::compare(const Request& request) {
  const int64_t a = number(request, "a");
  const int64_t b = number(request, "b");
  const Catalogue& first = run(a);
  const Catalogue& second = run(b);
  const Slow place(slow);
  const std::lock_guard lock(comparing);
  auto found = comparisons.find({a, b});
  if (found == comparisons.end()) {
    std::string text = report::compare_document(catalogue::compare(first, second, options.threads), a, b);
    found = comparisons.emplace(std::pair(a, b), std::move(text)).first;
  }
  return json(found->second);
}

Reply Api::State::clean(int64_t r) {
  const Catalogue& catalogue = run(r);
  const Slow place(slow);
  const std::lock_guard lock(cleaning);
  auto found = suspects.find(r);
  if (found == suspects.end()) found = suspects.emplace(r, report::clean_document(catalogue, options.threads)).first;
  return json(found->second);
}

Reply Api::State::label(const Request& request, const Catalogue& run, int64_t f) const {
  if (request.body.size() > kLongestLabel) throw StatusError(413, "expected a shorter name and note");
  catalogue::LabelWish wish = catalogue::parse_label(request.body);
  if (!wish.expected) return json(catalogue::label_document(run.names().set(f, std::move(wish.label))));
  const catalogue::NameChange change = run.names().replace(f, std::move(wish.label), *wish.expected);
  Reply reply = json(catalogue::label_document(change.label));
  if (!change.made) {
    reply.status = 409;
    reply.body = R"({"error":"another name was given meanwhile","label":)" + reply.body + "}";
  }
  return reply;
}

// The body has a bit for each item, the lowest of the first byte for item 0.
Reply Api::State::contrast(const Request& request, const Catalogue& run) {
  const auto size = static_cast<size_t>(items().size());
  check(request.body.size() == (size + 7) / 8, "expected a body of ", (size + 7) / 8, " bytes, a bit for each of ",
        size, " items, got ", request.body.size());
  std::vector<bool> chosen(size);
  for (size_t i = 0; i < size; ++i)
    chosen[i] = ((static_cast<unsigned char>(request.body[i / 8]) >> (i % 8)) & 1U) != 0;
  const Slow place(slow);
  return json(report::contrast_document(run, chosen));
}

Reply Api::State::rows(const Request& request, const Catalogue& run) {
  const std::vector<int64_t> wanted = numbers_in(request.body, "the body", kMostRows);
  for (const int64_t one : wanted) item(one);
  const Slow place(slow);
  return json(report::rows_document(run, wanted));
}

Reply Api::State::changed(const Request& request, const Catalogue& run, int64_t i) {
  const std::vector<int64_t> features = numbers(request, "features", kMostChanges);
  const std::vector<float> values = reals(request, "values", kMostChanges);
  check(features.size() == values.size(), "expected as many values as features, got ", values.size(), " for ",
        features.size());
  std::vector<report::FeatureChange> changes;
  for (size_t at = 0; at < features.size(); ++at) changes.push_back({feature(run, features[at]), values[at]});
  const Slow place(slow);
  return json(report::changed_document(run, i, changes));
}

Reply Api::State::embedded(const Request& request, int64_t r,
                           const std::function<std::vector<float>(std::string_view)>& encode) {
  const Catalogue& catalogue = run(r);
  std::optional<int64_t> with;
  if (request.query.contains("with")) with = item(number(request, "with"));
  const Slow place(slow);
  const std::vector<float> row = encode(request.body);
  check_io(std::ssize(row) == catalogue.features(), "expected ", catalogue.features(),
           " features, as the embeddings have, got ", row.size(), " from the model");
  return json(report::embed_document(catalogue, row, with));
}

Reply Api::State::embed_text(const Request& request, int64_t r) {
  const auto at = static_cast<size_t>(r);
  if (options.text_encoders.empty() || !options.text_encoders[at]) {
    throw StatusError(404, "there is no model here that reads texts: 'orthant explore' needs a run with a text tower");
  }
  if (request.body.size() > kLongestText) {
    throw StatusError(413, join("expected a text of at most ", kLongestText, " bytes, got ", request.body.size()));
  }
  check(first_invalid_utf8(request.body) == std::string_view::npos, "expected a text in UTF-8, got other bytes");
  check(!words_of(request.body).empty(), "expected a text with words in it, got none");
  return embedded(request, r, options.text_encoders[at]);
}

Reply Api::State::embed(const Request& request, int64_t r) {
  const auto at = static_cast<size_t>(r);
  if (options.encoders.empty() || !options.encoders[at]) {
    throw StatusError(404, "there is no model of pictures here: 'orthant explore' needs a run on pictures");
  }
  check_picture(request);
  return embedded(request, r, options.encoders[at]);
}

const heat::Answer& Api::State::mapper(int64_t r) const {
  run(r);
  const auto at = static_cast<size_t>(r);
  if (options.mappers.empty() || !options.mappers[at]) {
    throw StatusError(404, "there is no model of pictures or sounds here: 'orthant explore' needs a run on them");
  }
  return options.mappers[at];
}

Reply Api::State::where(const Request& request, int64_t r, std::string picture, const report::WhereItem* asked) {
  const Catalogue& catalogue = run(r);
  heat::Question question;
  if (request.query.contains("features")) question.features = numbers(request, "features", heat::kMostQuestions);
  for (const int64_t f : question.features) feature(catalogue, f);
  std::optional<int64_t> with;
  if (request.query.contains("with")) {
    with = item(number(request, "with"));
    question.other.resize(static_cast<size_t>(catalogue.features()));
    catalogue.matrix().visit_row(*with, [&](int64_t f, float x) { question.other[static_cast<size_t>(f)] = x; });
  }
  check(with || !question.features.empty(), "expected features or an item to compare with, got neither");
  question.picture = std::move(picture);
  const Slow place(slow);
  heat::HeatMaps maps = mapper(r)(question);
  if (asked != nullptr) maps = report::on_picture(std::move(maps), *asked);
  return json(report::where_document(maps, question.features, with, asked));
}

Reply Api::State::item_where(const Request& request, int64_t r, int64_t i) {
  if (items().pictures == nullptr) throw StatusError(404, "there are no pictures: 'orthant explore' had no data set");
  mapper(r);  // better refused before the work than after it
  const report::WhereItem asked = report::where_item(run(r), i);
  return where(request, r, asked.question, &asked);
}

Reply Api::State::own_where(const Request& request, int64_t r) {
  mapper(r);
  if (run(r).record().sound) throw StatusError(404, "there is no model of pictures here: this run is on sounds");
  check_picture(request);
  return where(request, r, request.body, nullptr);
}

Reply Api::State::show_page() const {
  return {.type = "text/html; charset=utf-8",
          .body = page,
          .fields = {{"Content-Security-Policy", std::string(report::kLivePolicy) + "; frame-ancestors 'none'"},
                     {"X-Frame-Options", "DENY"},
                     {"Cross-Origin-Opener-Policy", "same-origin"}}};
}

Reply Api::State::answer_run(const Request& request, const Match& match) {
  const Catalogue& run = this->run(match.numbers.at(0));
  switch (match.route) {
    case Route::kFeatures:
      return json(report::features_document(run));
    case Route::kFeature:
      return json(report::feature_document(run, feature(run, match.numbers.at(1))));
    case Route::kLabel:
      return label(request, run, feature(run, match.numbers.at(1)));
    case Route::kNames:
      return json(catalogue::names_document(run.names()));
    case Route::kItems:
      return items_page(request, run);
    case Route::kItem:
      return json(report::item_document(run, item(match.numbers.at(1))));
    case Route::kClean:
      return clean(match.numbers.at(0));
    case Route::kExplain:
      return explain(request, run);
    case Route::kPca:
    case Route::kUmap: {
      const std::string name = match.route == Route::kPca ? "pca" : "umap";
      const std::vector<std::string> names = run.map_names();
      if (std::ranges::find(names, name) == names.end()) {
        throw StatusError(404, join("there is no ", name, " of ", items().size(), " items; pca has them all"));
      }
      const Slow place(slow);
      return json(report::map_document(run, name));
    }
    case Route::kActivations:
      return json(report::activations_document(run, feature(run, match.numbers.at(1))));
    case Route::kText:
      return embed_text(request, match.numbers.at(0));
    case Route::kWhere:
      return item_where(request, match.numbers.at(0), item(match.numbers.at(1)));
    case Route::kOwnWhere:
      return own_where(request, match.numbers.at(0));
    case Route::kContrast:
      return contrast(request, run);
    case Route::kRows:
      return rows(request, run);
    case Route::kChanged:
      return changed(request, run, item(match.numbers.at(1)));
    case Route::kVote: {
      const Slow place(slow);
      return json(report::vote_document(run));
    }
    default:
      return embed(request, match.numbers.at(0));
  }
}

Reply Api::State::answer(const Request& request) {
  const Match match = find_route(request);
  switch (match.route) {
    case Route::kPage:
      return show_page();
    case Route::kOverview:
      return json(overview);
    case Route::kLabels:
      return json(report::labels_document(items()));
    case Route::kIds:
      return json(report::ids_document(items()));
    case Route::kTexts:
      return json(report::texts_document(items()));
    case Route::kPicture: {
      const int64_t i = item(match.numbers.at(0));
      return picture(request, [&] { return items().pictures->image(items().rows[static_cast<size_t>(i)]); });
    }
    case Route::kSound:
      return sound(request, item(match.numbers.at(0)));
    case Route::kPictures:
      return strip(request);
    case Route::kCompare:
      return compare(request);
    default:
      return answer_run(request, match);
  }
}

Api::Api(std::vector<const Catalogue*> runs, ApiOptions options)
    : state_(std::make_unique<State>(std::move(runs), std::move(options))) {}
Api::~Api() = default;

Reply Api::answer(const Request& request) const { return state_->answer(request); }

}  // namespace orthant::serve
