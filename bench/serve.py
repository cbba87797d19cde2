"""How fast `orthant explore` opens and answers, in a process of its own.

Usage: serve.py BIN_FOLDER [--seconds 5] [--rows 100000 1000000] [--small]

Two runs of 10,000 x 256 features, about a minute:

First part: one connection that asks for explanations of random pairs; median and 99th percentile of the latency, as
the client sees it. Second part: eight connections, each asking as soon as it has its answer; requests per second, of
explanations and of what a person who clicks around asks for. Third part: the same with 1,000 idle connections beside.

Then a file of --rows items x 1,024 features of which 3 % are filled, with labels and ids: how long it takes to open, the
memory it takes (anonymous, and pages of the mapped file), and the latency of every route, as one client sees it.

--small: a tenth of the rows and a second each, to see that it works.
"""

import http.client
import multiprocessing
import random
import socket
import subprocess
import tempfile
import time

import numpy as np

import driver
import sparse_file


def make_files(folder, rows):
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 10, rows)
    means = rng.normal(size=(10, 256)) - 1
    for run in range(2):
        features = np.maximum(means[labels] + rng.normal(size=(rows, 256)), 0).astype(np.float32)
        np.save(f"{folder}/{run}.npy", features)
    np.save(f"{folder}/labels.npy", labels)


def pair(rows):
    return f"a={random.randrange(rows)}&b={random.randrange(rows)}"


def explain_path(rows):
    return f"/api/v1/runs/{random.randrange(2)}/explain?{pair(rows)}"


def mixed_path(rows):
    run = random.randrange(2)
    return random.choice([
        f"/api/v1/runs/{run}/explain?{pair(rows)}",
        f"/api/v1/runs/{run}/items/{random.randrange(rows)}",
        f"/api/v1/runs/{run}/features/{random.randrange(256)}",
        f"/api/v1/runs/{run}/items?offset={random.randrange(rows)}&limit=100",
        f"/api/v1/runs/{run}/activations/{random.randrange(256)}",
    ])


def client(port, rows, path_of, seconds, seed, results):
    random.seed(seed)
    connection = http.client.HTTPConnection("127.0.0.1", port)
    times = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        begin = time.perf_counter()
        connection.request("GET", path_of(rows))
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 200, answer.status
        times.append(time.perf_counter() - begin)
    results.put(times)


def load(port, rows, path_of, seconds, connections):
    results = multiprocessing.Queue()
    clients = [multiprocessing.Process(target=client, args=(port, rows, path_of, seconds, seed, results))
               for seed in range(connections)]
    for one in clients:
        one.start()
    times = sorted(sum((results.get() for _ in clients), []))
    for one in clients:
        one.join()
    return times


def tell(name, times, seconds):
    median = 1000 * driver.median(times)
    late = 1000 * times[int(0.99 * (len(times) - 1))]
    print(f"  {name:<44} median {median:7.2f} ms   99 % {late:7.2f} ms   {len(times) / seconds:7.0f} per second")


def start(command):
    """The server, its port, and how long it took to be ready."""
    begin = time.perf_counter()
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    port = int(server.stdout.readline().rsplit(":", 1)[1].strip("/\n"))
    return server, port, time.perf_counter() - begin


def clicks(options, folder, rows, seconds):
    make_files(folder, rows)
    server, port, ready = start([f"{options.bin}/orthant", "explore", f"{folder}/0.npy", f"{folder}/1.npy",
                                 "--labels", f"{folder}/labels.npy"])
    try:
        print(f"{rows} x 256, two runs; ready after {ready:.1f} s")
        tell("explain, 1 connection", load(port, rows, explain_path, seconds, 1), seconds)
        tell("explain, 8 connections", load(port, rows, explain_path, seconds, 8), seconds)
        tell("mixed, 8 connections", load(port, rows, mixed_path, seconds, 8), seconds)
        idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(1000)]
        tell("explain, 8 connections, 1,000 idle ones", load(port, rows, explain_path, seconds, 8), seconds)
        for one in idle:
            one.close()
    finally:
        server.terminate()
        server.wait()


def memory(server):
    with open(f"/proc/{server.pid}/status") as file:
        kilobytes = {line.split(":")[0]: int(line.split()[1]) for line in file if line.startswith(("Rss", "VmHWM"))}
    return (f"anonymous {kilobytes['RssAnon'] / 1000:.0f} MB, of the file {kilobytes['RssFile'] / 1000:.0f} MB, "
            f"most at once {kilobytes['VmHWM'] / 1000:.0f} MB")


def routes(rows, features):
    item = lambda: random.randrange(rows)
    return [
        ("overview", lambda: "/overview", 20),
        ("cards of all features", lambda: "/runs/0/features", 10),
        ("page of a feature", lambda: f"/runs/0/features/{random.randrange(features)}", 100),
        ("page of an item, with neighbours", lambda: f"/runs/0/items/{item()}", 200),
        ("explanation of two", lambda: f"/runs/0/explain?a={item()}&b={item()}", 200),
        ("100 items", lambda: f"/runs/0/items?offset={item()}&limit=100", 100),
        ("100 items of a class", lambda: f"/runs/0/items?offset=100&limit=100&class={random.randrange(16)}", 100),
        ("activations of a feature, all items", lambda: f"/runs/0/activations/{random.randrange(features)}", 20),
        ("labels, all items", lambda: "/labels", 10),
        ("ids, all items", lambda: "/ids", 10),
        ("map, first time", lambda: "/runs/0/map/pca", 1),
        ("map, again", lambda: "/runs/0/map/pca", 5),
    ]


def large(options, folder, rows):
    features = 1024
    path = f"{folder}/{rows}.safetensors"
    entries = sparse_file.write(path, rows, features)
    server, port, ready = start([f"{options.bin}/orthant", "explore", path])
    try:
        print(f"{rows} x {features}, {entries} entries; ready after {ready:.1f} s; {memory(server)}")
        connection = http.client.HTTPConnection("127.0.0.1", port)
        random.seed(0)
        for name, path_of, times in routes(rows, features):
            taken = []
            for _ in range(times):
                begin = time.perf_counter()
                connection.request("GET", "/api/v1" + path_of())
                answer = connection.getresponse()
                size = len(answer.read())
                assert answer.status == 200, answer.status
                taken.append(1000 * (time.perf_counter() - begin))
            taken.sort()
            print(f"  {name:<44} median {driver.median(taken):8.2f} ms   99 % {taken[int(0.99 * (len(taken) - 1))]:8.2f} ms"
                  f"   {size / 1e6:6.2f} MB")
        print(f"  then {memory(server)}")
    finally:
        server.terminate()
        server.wait()


def main():
    parser = driver.parser(__doc__, small=True)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--rows", type=int, nargs="*", default=[100_000, 1_000_000], help="of the large files")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        clicks(options, folder, 1000 if options.small else 10_000, 1 if options.small else options.seconds)
        for rows in options.rows:
            large(options, folder, rows // 10 if options.small else rows)


main()
