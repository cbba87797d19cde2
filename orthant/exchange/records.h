#pragma once

#include <span>
#include <string>

#include "orthant/exchange/shipment.h"

namespace orthant::exchange {

// JSON that several formats share.

// {"KEY": 0.5, ...} with a key of each column.
std::string weights_json(std::span<const Entry> entries, std::span<const std::string> keys);

// "indices": [0, 5], "values": [0.5, 1] without braces, columns counted from 0.
std::string lists_json(std::span<const Entry> entries);

// , "id": "...", "label": "..." as far as the item has them; nothing for what it does not.
std::string about_json(const Shipment& shipment, int64_t i);

// What every folder holds besides: items.csv, features.csv, expected.json and export.json.
void write_tables(const Shipment& shipment, const Target& target, const AtomicFolder& folder);

// What every README.md ends with.
std::string tables_text(const Shipment& shipment);

}  // namespace orthant::exchange
