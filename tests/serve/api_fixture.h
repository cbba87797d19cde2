#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "orthant/core/error.h"
#include "orthant/core/rng.h"
#include "orthant/serve/api.h"
#include "orthant/serve/exchange.h"
#include "tests/support/temporary_folder.h"

namespace orthant::serve {

inline constexpr int64_t kItems = 40;
inline constexpr int64_t kFeatures = 7;

// Pictures that tell which they are.
class Numbered : public Dataset {
 public:
  explicit Numbered(int64_t side, bool varying) : side_(side), varying_(varying) {
    info_.height = info_.width = varying ? 0 : side;
    info_.channels = varying ? 0 : 3;
  }
  const DatasetInfo& info() const override { return info_; }
  int64_t size() const override { return 2 * kItems; }
  Image image(int64_t i) const override {
    check_index(i);
    Image image(side_ + (varying_ ? i : 0), side_, varying_ && i % 2 == 1 ? 1 : 3, static_cast<uint8_t>(i));
    image.pixels.front() = 200;
    return image;
  }

 private:
  DatasetInfo info_;
  int64_t side_;
  bool varying_;
};

inline std::shared_ptr<catalogue::Items> items_with(DatasetPtr pictures) {
  auto items = std::make_shared<catalogue::Items>();
  for (int64_t i = 0; i < kItems; ++i) {
    items->ids.push_back(std::to_string(i));
    items->labels.push_back(i % 3);
    if (pictures != nullptr) items->rows.push_back(2 * i);
  }
  items->classes = {"</script>", "\xf0\x9f\x90\x88", "c"};
  items->pictures = std::move(pictures);
  return items;
}

inline std::unique_ptr<catalogue::Catalogue> catalogue(std::shared_ptr<const catalogue::Items> items, uint64_t seed,
                                                       const std::string& names_path = {}) {
  Rng rng(seed);
  Embeddings embeddings;
  Matrix values(kItems, kFeatures);
  for (int64_t i = 0; i < kItems; ++i) {
    for (int64_t f = 0; f < kFeatures; ++f) values(i, f) = rng.bernoulli(0.5) ? static_cast<float>(rng.uniform()) : 0;
  }
  embeddings.features = std::move(values);
  catalogue::RunRecord record;
  record.name = record.path = "run";
  record.names_path = names_path;
  return std::make_unique<catalogue::Catalogue>(std::move(record), std::move(embeddings), std::move(items));
}

class ApiTest : public testing::Test {
 protected:
  Reply ask(const std::string& method, const std::string& path, std::multimap<std::string, std::string> query = {},
            const std::string& body = {}) const {
    Request request;
    request.method = method;
    request.path = path;
    request.query = std::move(query);
    request.body = body;
    return api_.answer(request);
  }
  nlohmann::json get(const std::string& path, std::multimap<std::string, std::string> query = {}) const {
    return nlohmann::json::parse(ask("GET", "/api/v1" + path, std::move(query)).body);
  }
  int status_of(const std::string& method, const std::string& path, std::multimap<std::string, std::string> query = {},
                const std::string& body = {}) const {
    try {
      return ask(method, "/api/v1" + path, std::move(query), body).status;
    } catch (const StatusError& error) {
      return error.status;
    } catch (const std::invalid_argument&) {
      return 400;
    } catch (const IoError&) {
      return 500;
    }
  }

  test::TemporaryFolder folder_;
  std::shared_ptr<catalogue::Items> items_ = items_with(std::make_shared<Numbered>(5, false));
  std::unique_ptr<catalogue::Catalogue> first_ = catalogue(items_, 1, folder_ / "names.json");
  std::unique_ptr<catalogue::Catalogue> second_ = catalogue(items_, 2);
  std::string seen_;
  mutable heat::Question asked_;
  Api api_{{first_.get(), second_.get()},
           {.encoders = {[this](std::string_view picture) {
                           seen_ = picture;
                           return std::vector<float>{1, 0, 0.5, 0, 0, 0, 2};
                         },
                         nullptr},
            .text_encoders = {[this](std::string_view text) {
                                seen_ = text;
                                return std::vector<float>{0, 0, 0, 0, 0, 1, 3};
                              },
                              nullptr},
            .mappers = {[this](const heat::Question& question) {
                          asked_ = question;
                          const auto count = std::ssize(question.features) + (question.other.empty() ? 0 : 1);
                          heat::HeatMaps maps{.rows = 1, .cols = 2, .box = {0.25F, 0, 0.5F, 1}};
                          maps.maps = Matrix(count, 2);
                          for (int64_t m = 0; m < count; ++m) maps.maps(m, 1) = static_cast<float>(m + 1);
                          maps.values.assign(static_cast<size_t>(count), 3);
                          maps.rests.assign(static_cast<size_t>(count), 0.5F);
                          return maps;
                        },
                        nullptr}}};
};

}  // namespace orthant::serve
