#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orthant/catalogue/view_pair.h"
#include "orthant/core/embeddings.h"
#include "orthant/measure/evaluation.h"

namespace orthant::catalogue {

// The files that a measurement is made of; all but the embeddings may be empty.
struct MeasureFiles {
  std::string embeddings;      // of embeddings that are in memory, what to call them
  std::string labels = {};     // see io::read_labels; default: those of the embeddings
  std::string factors = {};    // see io::read_factors; default: those of the embeddings
  std::string views = {};      // see read_view_pair
  std::string bank = {};       // embeddings with labels that k-NN and retrieval search
  std::string compare = {};    // embeddings of the same items by another model
  std::string reference = {};  // vectors of the same items, whatever made them
};

// Vectors of as many items as there are `rows` of `embeddings`, whatever made them. IoError, or std::invalid_argument
// naming the file, for another number or entries that are not finite.
Embeddings read_reference(const std::string& path, int64_t rows, const std::string& embeddings);

// What measure::evaluate() takes, together with what it borrows.
class MeasureInput {
 public:
  // Reads the files. IoError or std::invalid_argument, naming the file, for what cannot be read or does not fit the
  // embeddings.
  // Classes of embeddings and bank are the same if they have the same name, where both have names;
  // std::invalid_argument naming both for a class that the bank does not have.
  explicit MeasureInput(const MeasureFiles& files);

  // The same with embeddings that were read or made before.
  MeasureInput(Embeddings embeddings, const MeasureFiles& files);

  // Of embeddings that are in memory, borrowed, with these labels (empty: none), their own factors, and a reference of
  // the same items if there is one, borrowed too.
  MeasureInput(std::string name, const Embeddings& embeddings, std::vector<int64_t> labels,
               const Embeddings* reference = nullptr);

  MeasureInput(const MeasureInput&) = delete;
  MeasureInput& operator=(const MeasureInput&) = delete;

  const measure::EvaluationInput& input() const { return input_; }

  // That the file of views states, if it does.
  std::optional<double> temperature() const;

 private:
  void read_views(const std::string& path);
  void read_bank(const MeasureFiles& files);

  Embeddings embeddings_;
  std::vector<int64_t> labels_;
  std::vector<Factor> factors_;
  std::vector<measure::Edge> edges_;
  std::vector<float> importance_;
  ViewPair views_;
  Embeddings bank_;
  Embeddings other_;
  Embeddings reference_;
  measure::EvaluationInput input_;
};

}  // namespace orthant::catalogue
