#pragma once

#include <CLI/CLI.hpp>

namespace orthant::cli {

// The commands under `orthant data`, each in the file of its name.
void add_data_info(CLI::App& data);
void add_data_preview(CLI::App& data);
void add_data_export(CLI::App& data);

}  // namespace orthant::cli
