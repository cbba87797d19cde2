#include "cli/adapt/adapting.h"
#include "cli/commands.h"
#include "cli/frame/learn_program.h"
#include "cli/frame/program.h"

int main(int argc, char** argv) {
  return orthant::cli::run_program(argc, argv, [argc, argv](orthant::cli::App& app) {
    using namespace orthant::cli;
    add_data(app);
    add_doctor(app);
    add_factorize(app);
    add_decompose(app);
    add_theory(app);
    add_adapt(app);
    add_learn_commands(app, argv, add_adapted_commands(app, argc, argv));
    add_select(app);
    add_info(app);
    add_measure(app);
    add_name(app);
    add_classify(app);
    add_index(app);
    add_search(app);
    add_sheet(app);
    add_report(app);
    add_explore(app);
    add_clean(app);
    add_export(app);
    add_import(app);
  });
}
