#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/factorize_files.h"
#include "cli/frame/progress.h"
#include "orthant/core/error.h"
#include "orthant/core/importance.h"
#include "orthant/core/retold.h"
#include "orthant/core/version.h"
#include "orthant/factorize/cooccurrence.h"
#include "orthant/factorize/factorize.h"
#include "orthant/io/embeddings_file.h"

namespace orthant::cli {
namespace {

struct FactorizeFlags {
  Common common;
  std::string input;
  int64_t rank = 16;
  std::string solver;
  std::string init = "random";
  int64_t iterations = 500;
  double tolerance = 1e-6;
  bool normalize = false;
  bool no_normalize = false;
  std::string output;
  std::string h_output;
  std::string communities;
  bool json = false;
  bool overwrite = false;
};

// Before the work rather than after it.
void check_output(const std::string& path, bool overwrite) {
  refuse_existing(path, overwrite);
  const std::string extension = std::filesystem::path(path).extension();
  check(io::is_embeddings_ending(extension), "[", path, "] expected a name that ends with ", io::kEmbeddingsEndings,
        ", got ", extension.empty() ? "none" : extension);
}

factorize::Factorization solve(const FactorizeFlags& flags, const factorize::Target& target,
                               const std::string& solver) {
  Progress progress(flags.common.quiet);
  return factorize::factorize(target, solver,
                              {.rank = flags.rank,
                               .max_iterations = flags.iterations,
                               .tolerance = flags.tolerance,
                               .init = flags.init == "nndsvd" ? factorize::Init::nndsvd : factorize::Init::random,
                               .seed = flags.common.seed,
                               .threads = flags.common.threads,
                               .progress = [&](const factorize::SolverStep& step) {
                                 progress.update({"factorize", step.iteration, flags.iterations, "iterations",
                                                  fmt::format("loss {:.6g}", step.loss)});
                                 return true;
                               }});
}

void run(const FactorizeFlags& flags) {
  check_output(flags.output, flags.overwrite);
  if (!flags.h_output.empty()) check_output(flags.h_output, flags.overwrite);
  if (!flags.communities.empty()) refuse_existing(flags.communities, flags.overwrite);
  FactorizeInput input = read_factorize_input(flags.input);
  const std::string solver = !flags.solver.empty() ? flags.solver : input.graph ? "sym-hals" : "hals";
  check(flags.h_output.empty() || !factorize::is_symmetric_solver(solver),
        "[--h] expected a solver with two factors, got ", solver, ", whose second factor is the first");
  const bool normalize = flags.normalize || (input.graph && !flags.no_normalize);
  const factorize::Target target =
      retold(flags.input, [&] { return normalize ? factorize::normalized(input.target) : input.target; });
  const factorize::Factorization result = retold(flags.input, [&] { return solve(flags, target, solver); });
  const double error = factorize::relative_error(target, result, flags.common.threads);
  const nlohmann::ordered_json report = {
      {"source", flags.input},
      {"rows", target.rows()},
      {"cols", target.cols()},
      {"stored", target.nnz()},
      {"solver", solver},
      {"rank", flags.rank},
      {"init", flags.init},
      {"seed", flags.common.seed},
      {"normalized", normalize},
      {"loss", result.losses.back()},
      {"relative_error", error},
      {"iterations", result.iterations},
      {"converged", result.converged},
      {"version", version()},
  };
  Embeddings embeddings = std::move(input.rows);
  embeddings.features = to_features(result.w);
  put_importance(embeddings, {});  // of the columns that are gone
  for (const auto& [key, value] : report.items()) {
    embeddings.how[key] = value.is_string() ? value.get<std::string>() : value.dump();
  }
  io::write_embeddings(flags.output, embeddings);
  if (!flags.h_output.empty()) {
    Embeddings columns;
    columns.features = to_features(result.h);
    columns.how = embeddings.how;
    io::write_embeddings(flags.h_output, columns);
  }
  if (!flags.communities.empty()) write_communities(flags.communities, embeddings.ids, result.w);
  if (flags.json) {
    fmt::print("{}\n", report.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  } else if (!flags.common.quiet) {
    fmt::print("{} x {} by {} at rank {}: relative error {:.4f} after {} iterations ({})\n", target.rows(),
               target.cols(), solver, flags.rank, error, result.iterations,
               result.converged ? "converged" : "not converged; --iterations allows more");
  }
}

}  // namespace

void add_factorize(App& app) {
  auto flags = std::make_shared<FactorizeFlags>();
  App* command = add_command(app, "factorize",
                             "Non-negative matrix factorisation of a matrix or a graph, as embeddings", flags->common);
  command->add_option("input", flags->input, "A matrix (.npy, .npz, .safetensors) or an edge list (text)")
      ->type_name("MATRIX|EDGES")
      ->required();
  command->add_option("--rank", flags->rank, "Number of features")
      ->check(between(1, INT32_MAX))
      ->type_name("K")
      ->capture_default_str();
  command
      ->add_option("--solver", flags->solver,
                   "hals, mu, kl; for symmetric matrices sym-hals, sym-cd, sym-pgd, sym-mu, eigen "
                   "(default: hals; sym-hals for an edge list)")
      ->check(one_of(factorize::solver_names()))
      ->type_name("NAME");
  command->add_option("--init", flags->init, "Start from random or nndsvd")
      ->check(one_of({"random", "nndsvd"}))
      ->type_name("NAME")
      ->capture_default_str();
  command->add_option("--iterations", flags->iterations, "Stop after this many")
      ->check(between(0, INT32_MAX))
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--tolerance", flags->tolerance, "Stop when an iteration changes the loss by less, relatively")
      ->check(not_negative())
      ->type_name("X")
      ->capture_default_str();
  Option* normalize =
      command->add_flag("--normalize", flags->normalize,
                        "Divide by the roots of row and column sums; an edge list is, unless told otherwise");
  command->add_flag("--no-normalize", flags->no_normalize, "Keep the weights of an edge list")->excludes(normalize);
  command->add_option("-o,--output", flags->output, "Embeddings: W, one row per row or node (.safetensors, .npz, .npy)")
      ->type_name("FILE")
      ->required();
  command->add_option("--h", flags->h_output, "The other factor: H, one row per column")->type_name("FILE");
  command->add_option("--communities", flags->communities, "Each node's strongest feature, as TSV")->type_name("FILE");
  command->add_flag("--json", flags->json, "Print one JSON document");
  command->add_flag("--overwrite", flags->overwrite, "Replace files that exist");
  command->callback([flags] { run(*flags); });
}

}  // namespace orthant::cli
