"""Writes the seeds of the io targets: golden files, and the shapes of inputs that have broken other readers."""
import gzip
import io
import json
import pathlib
import shutil
import struct
import zipfile
import zlib

HERE = pathlib.Path(__file__).parent
GOLDEN = HERE.parent / "golden" / "io"


def keep(target, name, content):
    folder = HERE / "corpus" / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)


def copy(target, *names):
    for name in names:
        keep(target, name, (GOLDEN / name).read_bytes())


def npy(shape, descr="<f8", data=b"", version=1):
    text = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    length = struct.pack("<H" if version == 1 else "<I", len(text))
    return b"\x93NUMPY" + bytes([version, 0]) + length + text + data


def archive(entries, method=zipfile.ZIP_DEFLATED):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as file:
        for name, content in entries:
            file.writestr(zipfile.ZipInfo(name), content, method)
    return stream.getvalue()


def safetensors(header, data=b"", length=None):
    return struct.pack("<Q", len(header) if length is None else length) + header + data


for folder in ("npy", "npz", "safetensors", "jpeg", "png", "webp", "bmp", "netpbm", "csv", "gzip", "text", "pack", "sound"):
    shutil.rmtree(HERE / "corpus" / folder, ignore_errors=True)

copy("npy", "f4.npy", "f2.npy", "fortran_cube.npy", "scalar.npy", "version3.npy", "refused_structured.npy")
keep("npy", "twelve_bytes_for_4GB", b"\x93NUMPY\x02\x00\xff\xff\xff\xff")
keep("npy", "promises_4GB", npy("(1073741824,)", "<f4"))
keep("npy", "product_overflows", npy("(4294967296, 4294967296, 4294967296)"))
keep("npy", "bytes_overflow", npy("(2305843009213693952,)"))
keep("npy", "negative", npy("(-1, -8)"))

copy("npz", "stored.npz", "deflated.npz", "streamed.npz", "csr_f4.npz", "csr_text_format.npz", "refused_twice.npz")
keep("npz", "bomb", archive([("a.npy", npy(f"({1 << 20},)", "|u1", bytes(1 << 20)))]))
keep("npz", "lies_about_shape", archive([("a.npy", npy("(1073741824,)", "<f4", bytes(64)))]))
entries = 1 << 31
end64 = b"PK\6\6" + struct.pack("<QHHIIQQQQ", 44, 45, 45, 0, 0, entries, entries, 0, 0)
locator = b"PK\6\7" + struct.pack("<IQI", 0, 0, 1)
end = b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 0xffff, 0xffff, 0xffffffff, 0xffffffff, 0)
keep("npz", "two_billion_entries", end64 + locator + end)

pair = b'{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"U8","shape":[4],"data_offsets":[%s]}}'
keep("safetensors", "good", safetensors(b'{"__metadata__":{"k":"v"},' + (pair % b"8,12")[1:], bytes(12)))
keep("safetensors", "overlap", safetensors(pair % b"4,8", bytes(8)))
keep("safetensors", "hole", safetensors(pair % b"12,16", bytes(16)))
keep("safetensors", "huge_header", safetensors(b"{}", length=(1 << 63) + 1))
keep("safetensors", "long_header", safetensors(b"{}", length=100_000_000))
keep("safetensors", "twice", safetensors(b'{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},' * 2 + b"}", bytes(1)))
keep("safetensors", "overflow",
     safetensors(b'{"a":{"dtype":"F64","shape":[4294967296,4294967296],"data_offsets":[0,0]}}'))
keep("safetensors", "deep", safetensors(b'{"a":' + b"[" * 500 + b"]" * 500 + b"}"))

copy("jpeg", "jpeg_420.jpg", "jpeg_grey.jpg", "jpeg_progressive.jpg", "jpeg_cmyk.jpg", "jpeg_orientation6.jpg")
copy("png", "png_rgb.png", "png_rgba.png", "png_palette_transparent.png", "png_1bit.png", "png_grey16.png",
     "png_interlaced.png")
copy("webp", "lossy.webp", "lossless.webp", "alpha.webp", "refused_animation.webp")
copy("bmp", "rgb.bmp", "grey.bmp", "palette.bmp", "1bit.bmp", "rgbx.bmp", "top_down.bmp")
keep("bmp", "core_header", b"BM" + struct.pack("<IHHI", 0, 0, 0, 26 + 768) + struct.pack("<IHHHH", 12, 3, 2, 1, 8) +
     bytes(768 + 8))
keep("bmp", "masks", b"BM" + struct.pack("<IHHI", 0, 0, 0, 66) +
     struct.pack("<IiiHHIIiiII", 40, 1, 1, 1, 32, 3, 4, 0, 0, 0, 0) + struct.pack("<III", 0xff, 0xff00, 0xff0000) + b"abcd")
copy("netpbm", "rgb.ppm", "grey.pgm", "plain.ppm")
keep("netpbm", "two_bytes", b"P5 2 1 1000\n\3\xe8\1\xf4")
keep("netpbm", "promises_much", b"P6 9999 9999 255\n")
keep("csv", "quoted", b'\xef\xbb\xbfa,b\r\n"x, ""y""\nz",\r\n,last')
keep("csv", "semicolons", b"a;b\n1,5;2\n\n")
keep("text", "table", "a\tb\tc\td\nan é\tx\tone\ttrain\nmore\tx\tone\ttrain\n'tis\ty\ttwo\tdev\n".encode())
keep("text", "holes", b"a\tb\tc\td\n\t\t\t\n1\t2\t3\n")
keep("text", "lines", "\ufeffΣΊΣΥΦΟΣ don’t\r\n東京 ½ e\u0301\n".encode())
keep("text", "packed", gzip.compress(b"a\tb\tc\td\nx\ty\tz\ttrain\n", mtime=0))
copy("gzip", "two_members.gz")
keep("gzip", "bomb", gzip.compress(bytes(1 << 18), mtime=0))


def pack(records, ids, info, factors=0, train=b"", test=b"", pictures=b""):
    """A pack with right checksums."""
    index = b"".join(records) + train + test + ids + info
    table = b"".join(struct.pack("<I", zlib.crc32(index[at:at + 65536])) for at in range(0, len(index), 65536))
    header = b"orthpk1\n" + struct.pack("<6qII", 68 + len(pictures), len(records), len(train) // 4, len(test) // 4,
                                        len(ids), len(info), factors, zlib.crc32(table))
    return header + struct.pack("<I", zlib.crc32(header)) + pictures + index + table


def texts(*all):
    return struct.pack("<I", len(all)) + b"".join(struct.pack("<I", len(text)) + text for text in all)


plain = b"\1" + texts(b"cat", b"dog") + texts() + texts() + texts()
full = (b"\0" + texts(b"cat") + struct.pack("<I", 1) + texts(b"size")[4:] + struct.pack("<fIf", 0, 1, 2.5) + texts(b"big")
        + struct.pack("<I", 1) + b"\2" + texts(b"a.jpg: cut off")[4:] + struct.pack("<I", 1) + texts(b".gif")[4:]
        + struct.pack("<q", 3))
two = [struct.pack("<qqIi", 70, 3, zlib.crc32(b"ab"), 1), struct.pack("<qqIi", 71, 6, zlib.crc32(b"c"), -1)]
keep("pack", "two", pack(two, b"a/1b/2", plain, train=struct.pack("<I", 1), test=struct.pack("<I", 0), pictures=b"abc"))
keep("pack", "factors", pack([struct.pack("<qqIi", 69, 1, 0, 0) + struct.pack("<i", 0)], b"x", full, 1, pictures=b"p"))
keep("pack", "outside", pack([struct.pack("<qqIi", 1 << 40, -1, 0, 99)], b"x", plain, train=b"\xff" * 4))
keep("pack", "promises_much", pack(two, b"a/1b/2", b"\1" + struct.pack("<I", 0xffffffff)))
keep("pack", "journal", b"orthpj1\n" + struct.pack("<Q", 1) + struct.pack("<I", 36) + bytes(36) + struct.pack(
    "<I", zlib.crc32(bytes(36))))

keep("gzip", "cut", gzip.compress(b"some text", mtime=0)[:-6])

fields = b" HTTP/1.1\r\nHost: localhost\r\n"
keep("request", "get", b"GET /api/v1/runs/0/explain?a=1&b=2&token=0123456789abcdef" + fields + b"\r\n")
keep("request", "put", b"PUT /api/v1/runs/0/features/3/label HTTP/1.1\r\nHost: [::1]:80\r\nOrigin: http://[::1]:80\r\n"
     b"Authorization: Bearer 0123456789abcdef\r\nContent-Length: 11\r\n\r\n{\"name\":\"\"}"
     b"GET / HTTP/1.0\r\nHost: 127.0.0.1:80\r\nCookie: a=b; orthant_80=0123456789abcdef\r\nConnection: Keep-Alive\r\n\r\n")
keep("request", "odd", b"POST /%2e%2e/?items=%41+&&=%ff;=x" + fields + b"Range: bytes=-1,5-2,x\r\n"
     b"Expect: 100-continue\r\nAccept-Encoding: gzip, br\r\nContent-Length: 0\r\n\r\n")
keep("request", "query", b"HEAD /?items=%&%zz=%u00ff" + fields + b"Connection: a, close\r\n\r\n")
keep("request", "no_target", b"GET " + fields + b"\r\n")

keep("edge_list", "spaces", b"# a comment\na b\nb c 2.5\nlonely\n")
keep("edge_list", "tabs", b"\xef\xbb\xbfone thing\tanother\t1e-3\r\nanother\tone thing\r\n")
keep("edge_list", "commas", b"a,b,nan\na,b,-1\na,,1\na,b,1,2\n")
keep("names", "good", b'{"format":"orthant.names.1","features":{"12":{"name":"wheels","note":"of a \xc3\xa9 car"}}}')
keep("names", "strangers", b'{"format":"orthant.names.1","features":{"99":{"name":1},"-1":{},"1e3":null}}')
keep("names", "deep", b'{"format":' + b"[" * 300 + b"]" * 300 + b"}")
keep("metrics", "run", b'{"kind":"step","step":1,"epoch":0.5,"loss":null}\n'
     b'{"kind":"epoch","step":2,"epoch":1,"held_out_loss":1.5}\n{"kind":"epo')
keep("metrics", "odd", b'{"kind":7}\n[]\n{"kind":"epoch","step":1e999}\n{"kind":"epoch","a":{"b":1},"c":"\xff"}\n')
keep("selection", "sweep", b'{"scores":"ea","keep":[16,8],"accuracy":[0.5,null],"order":[3,1,2]}')
keep("selection", "list", b"[1, 2]")
keep("selection", "deep", b'{"a":' + b"[" * 300 + b"]" * 300 + b"}")

keep("world", "torchrun", b"RANK=1\nWORLD_SIZE=2\nMASTER_ADDR=a\nMASTER_PORT=29500\n")
keep("world", "slurm", b"SLURM_PROCID=5\nSLURM_STEP_NUM_TASKS=8\nSLURM_LOCALID=1\nSLURM_STEP_NODELIST=gpu[07-10],x\n"
     b"SLURM_JOB_ID=9\n")
keep("world", "openmpi", b"OMPI_COMM_WORLD_RANK=1\nOMPI_COMM_WORLD_SIZE=2\nOMPI_COMM_WORLD_LOCAL_RANK=1\n"
     b"OMPI_COMM_WORLD_LOCAL_SIZE=2\nPMIX_NAMESPACE=77\n")
keep("run_toml", "ncl", b"[data]\nsource = 'sprites' # what to learn from\n[train]\nmethod = \"ncl\"\nbatch = 64\n"
     b"[activation]\nname = 'rep_relu'\n[views]\ncrop_min = 0.08\nflip = true\n")
keep("run_toml", "odd", b"[train]\nbatch = -1\nepochs = 1e300\nseed = 9223372036854775807\n[loss]\ntemperature = nan\n")

keep("labels", "numbers", b"label\r\n3\n-1\n9223372036854775807\n\n")
keep("labels", "names", b'"a cat"\ndog \n\xff\x00\ndog\n')

keep("nodes", "features", b"# words\n0 19:1 81:1 146:0.5\n1\nb 3:-1e3\n")
keep("nodes", "labels", b"0\tblue fish\ttrain\n1\tcat\tval\nb\tcat\tnone\n")
keep("nodes", "odd", b"a 1:nan\na 1048576:1\n\xff 1:1\nb,,test\n")


def wav(data, size=None, channels=1, rate=16000, bits=16, kind=1):
    body = b"WAVEfmt " + struct.pack("<IHHIIHH", 16, kind, channels, rate, rate * channels * bits // 8, channels * bits // 8, bits)
    body += b"data" + struct.pack("<I", len(data) if size is None else size) + data
    return b"RIFF" + struct.pack("<I", len(body)) + body


ramp = b"".join(struct.pack("<h", 300 * i) for i in range(100))
keep("sound", "plain.wav", wav(ramp))
keep("sound", "stereo.wav", wav(ramp, channels=2, rate=44100))
keep("sound", "cut.wav", wav(ramp, size=4000))
keep("sound", "pipe.wav", wav(ramp, size=0xffffffff))
keep("sound", "float_nan.wav", wav(struct.pack("<ff", 0.5, float("nan")), bits=32, kind=3))
keep("sound", "fast.wav", wav(ramp, rate=700_000))
keep("sound", "plain.au", b".snd" + struct.pack(">IIIII", 24, len(ramp), 3, 8000, 1) + ramp)
comm = struct.pack(">hIh", 1, 100, 16) + b"\x40\x0c\xfa\0\0\0\0\0\0\0"
aiff = b"AIFFCOMM" + struct.pack(">I", len(comm)) + comm + b"SSND" + struct.pack(">III", len(ramp) + 8, 0, 0) + ramp
keep("sound", "plain.aiff", b"FORM" + struct.pack(">I", len(aiff)) + aiff)
keep("sound", "begins_as.flac", b"fLaC" + bytes([0x80, 0, 0, 34]) + bytes(34))

keep("heat", "question", struct.pack("<IIIIff", 2, 4, 8, 2, 0.5, -1.0) + b"\x89PNG")
keep("heat", "many_features", struct.pack("<I", 0xffffffff))
keep("heat", "maps", struct.pack("<8f", 0, 2, 3, 1, 0, 0, 1, 1) + struct.pack("<8f", 5, 1, 1, -1, 2, 0, 1, 1))
keep("heat", "covered", struct.pack("<8f", 1, 1, 1, 2, 0.25, 0, 0.5, 1) + struct.pack("<6f", 5, 6, 0, 0, 1, 2))
keep("heat", "no_number", struct.pack("<8f", 0, 1, 1, 1, 0, 0, 1, 1) + struct.pack("<3f", 1, 0, float("nan")))


def adapter(gate="topk", tied=False, second=False, mapped=False, **changed):
    """A model file of `orthant adapt`: four features of vectors of three numbers."""
    metadata = {"format": "orthant adapter", "version": "1", "dims": "3", "features": "4", "active": "2", "gate": gate,
                "tied": "true" if tied else "false", "decodes": "true", "unit_rows": "true", "scale": "1.5", "notes.data": "x.npy"}
    shapes = {"encoder.weight": [4, 3], "encoder.bias": [4], "bias": [3], "mean": [3]}
    if not tied:
        shapes["decoder.weight"] = [4, 3]
    if second:
        shapes |= {"mean_b": [2], "map_b": [3, 2]} if mapped else {"mean_b": [3]}
    if gate != "topk":
        shapes["thresholds"] = [1 if gate == "batch" else 4]
    header, data = {"__metadata__": metadata | changed}, b""
    for name, shape in shapes.items():
        count = shape[0] * (shape[1] if len(shape) == 2 else 1)
        values = b"".join(struct.pack("<f", (i % 5 - 2) / 4) for i in range(count))
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [len(data), len(data) + len(values)]}
        data += values
    return safetensors(json.dumps(header).encode(), data)


shutil.rmtree(HERE / "corpus" / "adapter", ignore_errors=True)
keep("adapter", "topk", adapter())
keep("adapter", "batch_tied", adapter("batch", tied=True))
keep("adapter", "jump_pair", adapter("jump", second=True))
keep("adapter", "mapped_pair", adapter(second=True, mapped=True))
keep("adapter", "promises_much", adapter(dims="16777216", features="16777216"))
keep("adapter", "too_many_on", adapter(active="5"))
keep("adapter", "no_scale", adapter(scale="nan"))
keep("names", "proposed", json.dumps({"format": "orthant.names.1", "features": {
    "3": {"name": "dog", "note": "", "proposed": {"name": "wolf", "score": 1.5, "chance": 0.4, "from": "captions.txt"}},
    "5": {"proposed": {"name": "\u0436\u0443\u043a", "score": -0.25, "chance": 0.5}}}}).encode())
keep("names", "proposed_odd", b'{"format":"orthant.names.1","features":{"1":{"proposed":{"name":"a","score":1e999,"chance":"x"}},"2":{"proposed":[]}}}')
