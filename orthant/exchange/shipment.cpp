#include "orthant/exchange/shipment.h"

#include "orthant/exchange/text.h"

namespace orthant::exchange {

std::string Shipment::label(int64_t i) const {
  if (embeddings.labels.empty()) return "";
  const int64_t label = embeddings.labels[static_cast<size_t>(i)];
  if (label < 0) return "";
  const auto at = static_cast<size_t>(label);
  const bool named = at < embeddings.class_names.size() && code_points(embeddings.class_names[at]) > 0;
  return named ? embeddings.class_names[at] : std::to_string(label);
}

}  // namespace orthant::exchange
