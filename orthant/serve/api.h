#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "orthant/catalogue/catalogue.h"
#include "orthant/heat/question.h"
#include "orthant/serve/message.h"

namespace orthant::serve {

// The features [D] that a run's model gives a picture (the bytes of a PNG or JPEG file). Called from several threads.
// StatusError or IoError as the answer is to be.
using PictureEncoder = std::function<std::vector<float>(std::string_view picture)>;
// The same for a text, valid UTF-8 with a word in it.
using TextEncoder = std::function<std::vector<float>(std::string_view text)>;

struct ApiOptions {
  std::vector<PictureEncoder> encoders = {};    // one for each run, or none at all; an empty one: that run has no model
  std::vector<TextEncoder> text_encoders = {};  // likewise; an empty one: the run takes no texts
  std::vector<heat::Answer> mappers =
      {};           // where features fire, likewise; an empty one: the run has no model of pictures
  int slow = 4;     // requests at once that may take seconds (maps, comparisons, pictures and texts to embed, where
                    // features fire); further ones get 503
  int threads = 0;  // of a comparison
};

// The page and the data of docs/api.md, version 1, of runs that show the same items. Only routes, numbers and limits
// are decided here: what is said of a run comes from orthant/report.
class Api {
 public:
  // `runs` must live as long as this. std::invalid_argument if there is none, or they do not share their items.
  explicit Api(std::vector<const catalogue::Catalogue*> runs, ApiOptions options = {});
  ~Api();
  Api(const Api&) = delete;
  Api& operator=(const Api&) = delete;

  // Safe from several threads. What it throws is for Exchange to answer.
  Reply answer(const Request& request) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace orthant::serve
