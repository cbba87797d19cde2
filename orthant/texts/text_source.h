#pragma once

#include <string>

#include "orthant/data/dataset.h"

namespace orthant {

// What stands behind "text:".
//   FILE[,LABELS][,ids=IDS][,empty=skip]           one text in each line; line k of LABELS names the class of line k of
//                                                  FILE, and line k of IDS its item
//   FILE,column=NAME[,id=NAME][,label=NAME][,split=NAME][,empty=skip]
//                                                  a table, its cells separated by tabs, its columns named by the
//                                                  first line; the texts are in `column`
// A file may be compressed by gzip. Several texts of one id are texts of one item.
struct TextSource {
  std::string file;
  std::string labels;  // a file; empty: none
  std::string ids;     // likewise
  std::string column;  // empty: the file is no table
  std::string id;      // columns; empty: none
  std::string label;
  std::string split;        // train or test; dev, val, valid and validation count as test
  bool skip_empty = false;  // pass over blank lines, and rows in which any cell is blank
};

// std::invalid_argument for an option that is not known, comes twice, or needs a column that is not given. A comma that
// is part of an existing file's name separates nothing.
TextSource parse_text_source(const std::string& path);
std::string to_string(const TextSource& source);

// Opens the split "train", "test" or "all" of it. Without a column for the split, standard_split() makes one. Classes
// are numbered in the order of the alphabet, or of their numbers if all are called by one. std::invalid_argument if a
// column is not there. IoError naming the line: an empty line, id, label or cell; what is not UTF-8; another number of
// labels or ids than of texts; a split that is none.
DatasetPtr open_texts(const TextSource& source, const std::string& split);

}  // namespace orthant
