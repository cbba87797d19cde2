#include "orthant/codec/jpeg.h"

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>

// These need size_t and FILE to be declared first.
#include <jpeglib.h>

#include <jerror.h>

#include <memory>
#include <vector>

#include "orthant/codec/exif.h"
#include "orthant/codec/image_size.h"
#include "orthant/core/error.h"

namespace orthant::codec {
namespace {

// Huffman coding takes at least one bit for each block of 64 pixels: a file that promises more than 512 pixels for
// each of its bytes is cut off or lies. Twice that leaves room.
constexpr uint64_t kMaxPixelsPerByte = 1024;
// A progressive picture of many scans costs a pass over all pixels for each; honest encoders make about ten.
constexpr int kMaxScans = 200;

// libjpeg reports errors by a call that must not return, from C frames that an exception must not cross: hence
// longjmp. Between setjmp and longjmp nothing with a destructor is created.
struct ErrorManager {
  jpeg_error_mgr base;
  std::jmp_buf jump;
  char message[JMSG_LENGTH_MAX];
};

[[noreturn]] void leave(j_common_ptr codec) {
  auto* errors = reinterpret_cast<ErrorManager*>(codec->err);
  codec->err->format_message(codec, errors->message);
  std::longjmp(errors->jump, 1);
}

// Bytes between segments and before the end of the file are harmless padding; within the picture they are damage.
bool is_harmless(j_common_ptr codec) {
  const int code = codec->err->msg_code;
  if (code == JWRN_ADOBE_XFORM || code == JWRN_JFIF_MAJOR || code == JWRN_BOGUS_ICC) return true;
  if (code != JWRN_EXTRANEOUS_DATA || !codec->is_decompressor) return false;
  const auto* decoder = reinterpret_cast<j_decompress_ptr>(codec);
  return decoder->output_height == 0 || decoder->output_scanline == decoder->output_height;
}

void on_message(j_common_ptr codec, int level) {
  if (level < 0 && !is_harmless(codec)) leave(codec);
}

void on_progress(j_common_ptr codec) {
  const auto* decoder = reinterpret_cast<j_decompress_ptr>(codec);
  if (decoder->input_scan_number > kMaxScans) ERREXIT(codec, JERR_BAD_PROGRESSION);
}

void prepare(ErrorManager& errors) {
  jpeg_std_error(&errors.base);
  errors.base.error_exit = leave;
  errors.base.emit_message = on_message;
  errors.message[0] = '\0';
}

// Destroys the codec, whichever state it is in.
template <class Codec>
struct Destroy {
  Codec* codec;
  ~Destroy() { jpeg_destroy(reinterpret_cast<j_common_ptr>(codec)); }
};

// The three steps of decoding; each returns false with errors.message set.
bool read_header(jpeg_decompress_struct& decoder, ErrorManager& errors, std::span<const std::byte> bytes) {
  if (setjmp(errors.jump) != 0) return false;
  jpeg_create_decompress(&decoder);
  jpeg_mem_src(&decoder, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  jpeg_save_markers(&decoder, JPEG_APP0 + 1, 0xffff);
  jpeg_read_header(&decoder, TRUE);
  return true;
}

bool start(jpeg_decompress_struct& decoder, ErrorManager& errors, J_COLOR_SPACE space) {
  if (setjmp(errors.jump) != 0) return false;
  decoder.out_color_space = space;
  jpeg_start_decompress(&decoder);
  return true;
}

bool read_rows(jpeg_decompress_struct& decoder, ErrorManager& errors, uint8_t* pixels, size_t stride) {
  if (setjmp(errors.jump) != 0) return false;
  while (decoder.output_scanline < decoder.output_height) {
    JSAMPROW row = pixels + decoder.output_scanline * stride;
    jpeg_read_scanlines(&decoder, &row, 1);
  }
  jpeg_finish_decompress(&decoder);
  return true;
}

// With Adobe's marker the four inks are stored inverted, 255 for none.
Image from_cmyk(const std::vector<uint8_t>& inks, int64_t height, int64_t width, bool inverted) {
  Image image(height, width, 3);
  for (size_t i = 0; i < inks.size() / 4; ++i) {
    const auto light = [&](size_t c) { return inverted ? inks[4 * i + c] : 255 - inks[4 * i + c]; };
    for (size_t c = 0; c < 3; ++c) image.pixels[3 * i + c] = static_cast<uint8_t>((light(c) * light(3) + 127) / 255);
  }
  return image;
}

int orientation_of(const jpeg_decompress_struct& decoder) {
  for (auto marker = decoder.marker_list; marker != nullptr; marker = marker->next) {
    const int orientation = exif_orientation(std::as_bytes(std::span(marker->data, marker->data_length)));
    if (orientation != 1) return orientation;
  }
  return 1;
}

bool compress(jpeg_compress_struct& encoder, ErrorManager& errors, const Image& image, int quality,
              unsigned char** output, unsigned long* length) {
  if (setjmp(errors.jump) != 0) return false;
  jpeg_create_compress(&encoder);
  jpeg_mem_dest(&encoder, output, length);
  encoder.image_width = static_cast<JDIMENSION>(image.width);
  encoder.image_height = static_cast<JDIMENSION>(image.height);
  encoder.input_components = static_cast<int>(image.channels);
  encoder.in_color_space = image.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(&encoder);
  jpeg_set_quality(&encoder, quality, TRUE);
  jpeg_start_compress(&encoder, TRUE);
  while (encoder.next_scanline < encoder.image_height) {
    const auto offset = static_cast<size_t>(encoder.next_scanline) * static_cast<size_t>(image.width * image.channels);
    JSAMPROW row = const_cast<uint8_t*>(image.pixels.data()) + offset;
    jpeg_write_scanlines(&encoder, &row, 1);
  }
  jpeg_finish_compress(&encoder);
  return true;
}

// The largest that leaves both sides at least `least_side`; 1 for 0.
unsigned divisor_for(const jpeg_decompress_struct& decoder, int64_t least_side) {
  if (least_side == 0) return 1;
  const int64_t side = std::min(decoder.image_height, decoder.image_width);
  return side / 8 >= least_side ? 8 : side / 4 >= least_side ? 4 : side / 2 >= least_side ? 2 : 1;
}

// At a size that libjpeg comes to cheaply; every bit is read in any case.
Image decode(std::span<const std::byte> bytes, const std::string& name, int64_t max_pixels, int64_t least_side) {
  ErrorManager errors;
  prepare(errors);
  jpeg_decompress_struct decoder = {};
  decoder.err = &errors.base;
  const Destroy<jpeg_decompress_struct> guard{&decoder};
  const auto must = [&](bool done) { check_io(done, "[", name, "] expected an intact JPEG, got: ", errors.message); };
  must(read_header(decoder, errors, bytes));

  check_image_size(decoder.image_height, decoder.image_width, max_pixels, name);
  check_io(uint64_t{decoder.image_width} * decoder.image_height <= bytes.size() * kMaxPixelsPerByte, "[", name,
           "] expected data for ", decoder.image_width, " x ", decoder.image_height, " pixels, got only ", bytes.size(),
           " bytes");
  const int orientation = orientation_of(decoder);  // libjpeg forgets the markers when it has finished
  const bool adobe = decoder.saw_Adobe_marker != 0;
  const bool grey = decoder.jpeg_color_space == JCS_GRAYSCALE;
  const bool inks = decoder.jpeg_color_space == JCS_CMYK || decoder.jpeg_color_space == JCS_YCCK;
  check_io(grey || inks || decoder.jpeg_color_space == JCS_YCbCr || decoder.jpeg_color_space == JCS_RGB, "[", name,
           "] expected grey, RGB, YCbCr, CMYK or YCCK colours, got ", decoder.num_components, " unknown channels");
  jpeg_progress_mgr progress = {};
  progress.progress_monitor = on_progress;
  decoder.progress = &progress;

  decoder.scale_num = 1;
  decoder.scale_denom = divisor_for(decoder, least_side);
  must(start(decoder, errors, grey ? JCS_GRAYSCALE : inks ? JCS_CMYK : JCS_RGB));
  const int64_t height = decoder.output_height;
  const int64_t width = decoder.output_width;
  const int64_t channels = grey ? 1 : inks ? 4 : 3;
  std::vector<uint8_t> pixels(static_cast<size_t>(height * width * channels));
  must(read_rows(decoder, errors, pixels.data(), static_cast<size_t>(width * channels)));
  if (inks) return upright(from_cmyk(pixels, height, width, adobe), orientation);
  Image image;
  image.height = height;
  image.width = width;
  image.channels = channels;
  image.pixels = std::move(pixels);
  return upright(std::move(image), orientation);
}

}  // namespace

bool looks_like_jpeg(std::span<const std::byte> bytes) {
  return bytes.size() >= 3 && bytes[0] == std::byte{0xff} && bytes[1] == std::byte{0xd8} && bytes[2] == std::byte{0xff};
}

Image decode_jpeg(std::span<const std::byte> bytes, const std::string& name, int64_t max_pixels, int64_t least_side) {
  return decode(bytes, name, max_pixels, least_side);
}

void verify_jpeg(std::span<const std::byte> bytes, const std::string& name) {
  constexpr int64_t kSmallest = 1;
  decode(bytes, name, kMaxImagePixels, kSmallest);
}

std::vector<std::byte> encode_jpeg(const Image& image, int quality) {
  check(quality >= 1 && quality <= 100, "[jpeg] expected a quality from 1 to 100, got ", quality);
  check(image.height > 0 && image.width > 0 && image.height <= kMaxImageSide && image.width <= kMaxImageSide &&
            (image.channels == 1 || image.channels == 3),
        "[jpeg] expected a picture of 1 or 3 channels and up to ", kMaxImageSide, " a side, got ", image.height, " x ",
        image.width, " x ", image.channels);
  check(static_cast<int64_t>(image.pixels.size()) == image.height * image.width * image.channels,
        "[jpeg] expected as many pixels as height x width x channels, got ", image.pixels.size());
  ErrorManager errors;
  prepare(errors);
  jpeg_compress_struct encoder = {};
  encoder.err = &errors.base;
  const Destroy<jpeg_compress_struct> guard{&encoder};
  // libjpeg allocates a larger buffer when this one is full; on failure its pointer is not to be relied on.
  std::vector<unsigned char> first(4096 + image.pixels.size());
  unsigned char* data = first.data();
  unsigned long length = first.size();
  check_io(compress(encoder, errors, image, quality, &data, &length),
           "[jpeg] expected to encode, got: ", errors.message);
  const std::unique_ptr<unsigned char, decltype(&std::free)> larger(data == first.data() ? nullptr : data, &std::free);
  const auto encoded = std::as_bytes(std::span(data, length));
  return {encoded.begin(), encoded.end()};
}

}  // namespace orthant::codec
