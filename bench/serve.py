"""How fast `orthant explore` answers: 10,000 x 256 sparse features, two runs, in a process of its own.

Usage: serve.py BIN_FOLDER [--seconds 5] [--small]

First part: one connection that asks for explanations of random pairs; median and 99th percentile of the latency, as
the client sees it. Second part: eight connections, each asking as soon as it has its answer; requests per second, of
explanations and of what a person who clicks around asks for. Third part: the same with 1,000 idle connections beside.

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


def main():
    parser = driver.parser(__doc__, small=True)
    parser.add_argument("--seconds", type=float, default=5)
    options = parser.parse_args()
    rows = 1000 if options.small else 10_000
    seconds = 1 if options.small else options.seconds
    with tempfile.TemporaryDirectory() as folder:
        make_files(folder, rows)
        command = [f"{options.bin}/orthant", "explore", f"{folder}/0.npy", f"{folder}/1.npy",
                   "--labels", f"{folder}/labels.npy"]
        begin = time.perf_counter()
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
            try:
                port = int(server.stdout.readline().rsplit(":", 1)[1].strip("/\n"))
                print(f"{rows} x 256, two runs; ready after {time.perf_counter() - begin:.1f} s")
                tell("explain, 1 connection", load(port, rows, explain_path, seconds, 1), seconds)
                tell("explain, 8 connections", load(port, rows, explain_path, seconds, 8), seconds)
                tell("mixed, 8 connections", load(port, rows, mixed_path, seconds, 8), seconds)
                idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(1000)]
                tell("explain, 8 connections, 1,000 idle ones", load(port, rows, explain_path, seconds, 8), seconds)
                for one in idle:
                    one.close()
            finally:
                server.terminate()


main()
