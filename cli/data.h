#pragma once

#include "cli/frame/app.h"

namespace orthant::cli {

// The commands under `orthant data`, each in the file of its name.
void add_data_info(App& data);
void add_data_preview(App& data);
void add_data_export(App& data);
void add_data_pack(App& data);

}  // namespace orthant::cli
