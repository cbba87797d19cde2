#include "orthant/exchange/import.h"

#include "orthant/core/error.h"
#include "orthant/exchange/csr_file.h"
#include "orthant/exchange/json_lines.h"
#include "orthant/io/embeddings_file.h"
#include "orthant/io/gzip.h"
#include "orthant/io/mapped_file.h"
#include "orthant/io/text_lines.h"

namespace orthant::exchange {
namespace {

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The format has no mark: a file is one if the sizes at its beginning are its own.
bool is_csr(std::span<const std::byte> bytes) {
  try {
    return promised_csr_bytes(bytes, "") == bytes.size();
  } catch (const IoError&) {
    return false;
  }
}

bool begins_as_json(std::string_view text) {
  if (text.substr(0, 24).find('\0') != std::string_view::npos) return false;  // the sizes of a .csr
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{';
}

Embeddings read(const std::string& path, const ImportOptions& options) {
  const auto file = io::MappedFile::open(path);
  const std::string_view text = as_text(file->bytes());
  if (is_csr(file->bytes())) return parse_csr(file->bytes(), path);
  if (text.starts_with("PK")) return io::read_embeddings(path);
  const bool known = text.starts_with("\x93NUMPY") || (text.size() > 8 && text[8] == '{');
  check_io(!known, "[", path,
           "] expected sparse vectors of another program, got a .npy or .safetensors file, which every ",
           "command reads as it is");
  if (begins_as_json(text)) {
    return parse_json_lines(io::plain_text(file->bytes(), path), path, {options.dims, options.progress});
  }
  if (!io::looks_like_gzip(file->bytes())) return parse_csr(file->bytes(), path);
  const auto promised = [&](std::span<const std::byte> head) {
    check_io(!begins_as_json(as_text(head)), "[", path,
             "] expected plain JSON lines, got them gzipped; run gunzip first");
    return promised_csr_bytes(head, path);
  };
  return parse_csr(io::gunzip(file->bytes(), path, SIZE_MAX, promised), path);
}

}  // namespace

Embeddings import_file(const std::string& path, const ImportOptions& options) {
  Embeddings embeddings = read(path, options);
  check_io(options.dims == 0 || embeddings.cols() == options.dims, "[", path, "] expected ", options.dims,
           " features, got ", embeddings.cols());
  embeddings.how["imported_from"] = path;
  return embeddings;
}

}  // namespace orthant::exchange
