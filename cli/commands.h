#pragma once

#include "cli/frame/command.h"

namespace orthant::cli {

// One function per command, each in the file of its name, here or in a folder of its own.
void add_adapt(App& app);
void add_classify(App& app);
void add_clean(App& app);
void add_data(App& app);
void add_decompose(App& app);
void add_doctor(App& app);
void add_explore(App& app);
void add_export(App& app);
void add_factorize(App& app);
void add_import(App& app);
void add_index(App& app);
void add_info(App& app);
void add_measure(App& app);
void add_name(App& app);
void add_report(App& app);
void add_search(App& app);
void add_select(App& app);
void add_sheet(App& app);
void add_theory(App& app);

}  // namespace orthant::cli
