"""Writes the golden files beside it: run with a Python that has NumPy, SciPy and Pillow.

Each file is what another program wrote; `expected.npz` holds what that program reads back. Re-running gives the same
content up to the libraries' versions (NumPy 1.24, SciPy 1.10, Pillow 9.4 made the committed ones).
"""
import gzip
import io
import pathlib
import struct
import zipfile
import zlib

import numpy as np
import scipy.sparse
from PIL import Image, ImageOps

HERE = pathlib.Path(__file__).parent
rng = np.random.default_rng(1)
expected = {}


def npy():
    for name in ("u1", "i4", "i8", "f4", "f8", "i1", "i2", "u2", "u4", "f2"):
        np.save(HERE / f"{name}.npy", (np.arange(6) * 3 + 1).reshape(2, 3).astype(name))
    for name in ("b1", "u8", "c8", "S3", "U3", ">f4"):
        np.save(HERE / f"refused_{name.replace('>', 'big_endian_')}.npy", np.arange(6).reshape(2, 3).astype(name))
    np.save(HERE / "refused_structured.npy", np.zeros(2, dtype=[("a", "<f4"), ("b", "<i4")]))
    np.save(HERE / "fortran.npy", np.asfortranarray(np.arange(6, dtype="f4").reshape(2, 3)))
    np.save(HERE / "fortran_cube.npy", np.asfortranarray(np.arange(24, dtype="i2").reshape(2, 3, 4) - 5))
    np.save(HERE / "halves.npy",
            np.array([0, -0.0, 2**-24, -(2**-14), 1 / 3, 65504, np.inf, -np.inf, np.nan], dtype="f2"))
    np.save(HERE / "scalar.npy", np.float64(2.5))
    np.save(HERE / "empty.npy", np.zeros((0, 7), dtype="f4"))
    np.save(HERE / "cube.npy", np.arange(24, dtype="i4").reshape(2, 3, 4))
    for version in ((2, 0), (3, 0)):
        with open(HERE / f"version{version[0]}.npy", "wb") as file:
            np.lib.format.write_array(file, np.arange(4, dtype="<i8"), version=version)


def npz():
    arrays = {"features": np.arange(12, dtype="f4").reshape(3, 4), "labels": np.array([0, 2, 1], dtype="i8")}
    np.savez(HERE / "stored.npz", **arrays)
    np.savez_compressed(HERE / "deflated.npz", zeros=np.zeros((50, 60), dtype="f8"), **arrays)
    np.savez(HERE / "with_object.npz", anything=np.arange(6, dtype="f8").reshape(2, 3), metadata=np.array({"a": 1}))

    class Unseekable(io.RawIOBase):  # zipfile then writes sizes behind the data instead of before
        def __init__(self):
            self.content = b""

        def writable(self):
            return True

        def write(self, data):
            self.content += bytes(data)
            return len(data)

    stream = Unseekable()
    np.savez_compressed(stream, **arrays)
    (HERE / "streamed.npz").write_bytes(stream.content)

    one = io.BytesIO()
    np.save(one, arrays["labels"])
    with zipfile.ZipFile(HERE / "refused_twice.npz", "w") as archive:
        archive.writestr("a.npy", one.getvalue())
        archive.writestr("a.npy", one.getvalue())
    with zipfile.ZipFile(HERE / "refused_bzip2.npz", "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("a.npy", one.getvalue())


def sparse():
    dense = np.array([[0, 1.5, 0, 2], [0, 0, 0, 0], [3, 0, 0, -4.25]])
    csr = scipy.sparse.csr_matrix(dense.astype("f4"))
    scipy.sparse.save_npz(HERE / "csr_f4.npz", csr)
    scipy.sparse.save_npz(HERE / "csr_f8_stored.npz", scipy.sparse.csr_matrix(dense), compressed=False)
    scipy.sparse.save_npz(HERE / "csr_i8.npz", scipy.sparse.csr_matrix(dense.astype("i8")))
    wide = csr.copy()
    wide.indices, wide.indptr = wide.indices.astype("i8"), wide.indptr.astype("i8")
    scipy.sparse.save_npz(HERE / "csr_wide_indices.npz", wide)
    unsorted = scipy.sparse.csr_matrix((np.array([2, 1.5, -4.25, 3], "f4"), [3, 1, 3, 0], [0, 2, 2, 4]), shape=(3, 4))
    scipy.sparse.save_npz(HERE / "csr_unsorted.npz", unsorted)
    twice = scipy.sparse.csr_matrix((np.array([1, 2], "f4"), [1, 1], [0, 2]), shape=(1, 4))
    scipy.sparse.save_npz(HERE / "refused_csr_twice.npz", twice)
    scipy.sparse.save_npz(HERE / "refused_csc.npz", csr.tocsc())
    scipy.sparse.save_npz(HERE / "refused_coo.npz", csr.tocoo())
    scipy.sparse.save_npz(HERE / "refused_bsr.npz", csr.tobsr())
    # The form as text instead of bytes, as some versions of SciPy have it.
    np.savez(HERE / "csr_text_format.npz", indices=csr.indices, indptr=csr.indptr, format=np.array("csr"),
             shape=csr.shape, data=csr.data)


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def hand_png(width, height, depth, colour, raw, interlace=0, extra=b""):
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlace)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + extra + chunk(b"IDAT", zlib.compress(raw)) +
            chunk(b"IEND", b""))


def adam7(pixels):
    raw = b""
    for y0, x0, dy, dx in ((0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2),
                           (1, 0, 2, 1)):
        part = pixels[y0::dy, x0::dx]
        if part.size:
            raw += b"".join(b"\0" + row.tobytes() for row in part)
    return raw


def picture(height, width):
    """Smooth, and different in every corner and channel."""
    y, x = np.mgrid[0:height, 0:width]
    planes = [255 * x / (width - 1), 255 * y / (height - 1), 127.5 + 127.5 * np.sin(x / 3) * np.cos(y / 5)]
    return np.stack(planes, axis=-1).round().astype(np.uint8)


def on_white(image):
    image = image.convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", image.size, "white"), image).convert("RGB")


def png():
    rgb = picture(11, 17)
    colour = Image.fromarray(rgb)
    alpha = np.arange(11 * 17).reshape(11, 17).astype(np.uint8)
    rgba = Image.fromarray(np.dstack([rgb, alpha]))
    grey = colour.convert("L")

    def keep(name, image, pixels):
        image.save(HERE / f"{name}.png")
        expected[name] = np.asarray(pixels)

    keep("png_rgb", colour, colour)
    keep("png_rgba", rgba, on_white(rgba))
    keep("png_grey", grey, grey)
    grey_alpha = rgba.convert("LA")
    keep("png_grey_alpha", grey_alpha, np.asarray(on_white(grey_alpha))[..., 0])
    palette = colour.quantize(16)
    keep("png_palette", palette, palette.convert("RGB"))
    bilevel = grey.convert("1")
    keep("png_1bit", bilevel, bilevel.convert("L"))
    palette.save(HERE / "png_palette_transparent.png", transparency=bytes(range(0, 256, 16)))
    expected["png_palette_transparent"] = np.asarray(on_white(Image.open(HERE / "png_palette_transparent.png")))
    colour.save(HERE / "png_key_transparent.png", transparency=tuple(int(v) for v in rgb[3, 4]))
    expected["png_key_transparent"] = np.asarray(on_white(Image.open(HERE / "png_key_transparent.png")))

    deep = rng.integers(0, 65536, (11, 17), dtype=np.uint16)
    (HERE / "png_grey16.png").write_bytes(
        hand_png(17, 11, 16, 0, b"".join(b"\0" + row.astype(">u2").tobytes() for row in deep)))
    expected["png_grey16"] = (deep >> 8).astype(np.uint8)
    deep = rng.integers(0, 65536, (11, 17, 3), dtype=np.uint16)
    (HERE / "png_rgb16.png").write_bytes(
        hand_png(17, 11, 16, 2, b"".join(b"\0" + row.astype(">u2").tobytes() for row in deep)))
    expected["png_rgb16"] = (deep >> 8).astype(np.uint8)
    (HERE / "png_interlaced.png").write_bytes(hand_png(17, 11, 8, 2, adam7(rgb), interlace=1))
    assert (np.asarray(Image.open(HERE / "png_interlaced.png")) == rgb).all()
    expected["png_interlaced"] = rgb


def jpeg():
    colour = Image.fromarray(picture(21, 35))

    def keep(name, image, to_pixels=lambda image: image, **options):
        image.save(HERE / f"{name}.jpg", "JPEG", **options)
        expected[name] = np.asarray(to_pixels(Image.open(HERE / f"{name}.jpg")))

    keep("jpeg_420", colour, quality=80)
    keep("jpeg_444", colour, quality=90, subsampling=0)
    keep("jpeg_422", colour, quality=90, subsampling=1)
    keep("jpeg_grey", colour.convert("L"))
    keep("jpeg_progressive", colour, progressive=True)
    keep("jpeg_cmyk", colour.convert("CMYK"), lambda image: image.convert("RGB"))
    for orientation in range(1, 9):
        exif = Image.Exif()
        exif[0x0112] = orientation
        keep(f"jpeg_orientation{orientation}", colour, ImageOps.exif_transpose, exif=exif)
    for quality in (1, 40, 80, 100):
        stream = io.BytesIO()
        colour.save(stream, "JPEG", quality=quality)
        expected[f"encoded_{quality}"] = np.asarray(Image.open(stream))
    expected["picture"] = np.asarray(colour)


def webp_bmp_netpbm():
    rgb = picture(11, 17)
    colour = Image.fromarray(rgb)
    grey = colour.convert("L")
    alpha = (np.arange(11 * 17).reshape(11, 17) + 40).astype(np.uint8)
    rgba = Image.fromarray(np.dstack([rgb, alpha]))
    palette = colour.quantize(16)

    def keep(name, image, to_pixels=lambda image: image, **options):
        image.save(HERE / name, **options)
        expected[name] = np.asarray(to_pixels(Image.open(HERE / name)))

    keep("lossy.webp", colour, quality=80)
    keep("lossless.webp", colour, lossless=True)
    keep("alpha.webp", rgba, on_white, lossless=True)
    colour.save(HERE / "refused_animation.webp", save_all=True, append_images=[colour.rotate(180)])
    keep("rgb.bmp", colour)
    keep("grey.bmp", grey)
    keep("palette.bmp", palette, lambda image: image.convert("RGB"))
    keep("1bit.bmp", grey.convert("1"), lambda image: image.convert("L"))
    keep("rgbx.bmp", Image.merge("RGBX", [*colour.split(), grey]).convert("RGBA"), lambda image: image.convert("RGB"))
    # From the top down: a negative height, and rows the other way round.
    content = bytearray((HERE / "rgb.bmp").read_bytes())
    rows = [bytes(content[54 + 52 * y:54 + 52 * (y + 1)]) for y in range(11)]
    content[22:26] = struct.pack("<i", -11)
    (HERE / "top_down.bmp").write_bytes(bytes(content[:54]) + b"".join(reversed(rows)))
    expected["top_down.bmp"] = np.asarray(Image.open(HERE / "top_down.bmp"))
    assert (expected["top_down.bmp"] == rgb).all()
    keep("rgb.ppm", colour)
    keep("grey.pgm", grey)
    lines = "\n".join(" ".join(str(v) for v in row.reshape(-1)) for row in rgb)
    (HERE / "plain.ppm").write_text(f"P3 # text\n17 11\n255\n{lines}\n")
    expected["plain.ppm"] = rgb


def gz():
    (HERE / "two_members.gz").write_bytes(gzip.compress(b"hello ", mtime=0) + gzip.compress(b"world", mtime=0))


if __name__ == "__main__":
    npy()
    npz()
    sparse()
    png()
    jpeg()
    webp_bmp_netpbm()
    gz()
    np.savez_compressed(HERE / "expected.npz", **expected)
