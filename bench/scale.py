"""Several processes: what they are worth on this machine, and what a network between them costs.

  part 1   images per second, share of communication and memory of each process: one process of one thread, one of two,
           two of one; medians of --runs runs each, in turn
  part 2   (as root, where network namespaces may be made) each process in a namespace of its own behind a link of
           --bandwidth, on 2, 4 and 8 processes: images per second beside what 'orthant pretrain --dry-run --processes N
           --bandwidth ...' says. Only namespaces and links that this script made are touched.

bench/scale.py build/bin [--small] [--runs 3] [--batch 512] [--bandwidth 100Mbit ...]
"""
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import threading
import time

import driver

PREFIX = "orthant-scale"


def settings(args, batch):
    return ["--data", "sprites", "--train-size", str(4 * batch), "--batch", str(batch), "--epochs", "2",
            "--image-size", "32", "--optimiser", "adamw", "--set", "train.view_count=2", "--set", "eval.every=0", "--set", "eval.size=2",
            "--set", "eval.bank=20", "--set", f"backbone.width={16 if args.small else 32}", "--set", "train.log_steps=1"]


def watch_memory(word, peaks, done):
    """The most memory that each process with this word on its command line had, by process."""
    while not done.is_set():
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if not entry.name.isdigit() or word.encode() not in (entry / "cmdline").read_bytes():
                    continue
                if "orthant-learn" not in os.readlink(entry / "exe"):
                    continue
                for line in (entry / "status").read_text().splitlines():
                    if line.startswith("VmHWM"):
                        peaks[entry.name] = max(peaks.get(entry.name, 0), int(line.split()[1]) / 1024)
            except OSError:
                continue
        time.sleep(0.1)


def last_epoch(run):
    lines = [json.loads(line) for line in (pathlib.Path(run) / "metrics.jsonl").read_text().splitlines()]
    return [line for line in lines if line["kind"] == "epoch"][-1]


def one_run(args, batch, processes, threads):
    with tempfile.TemporaryDirectory(prefix=PREFIX) as folder:
        run = f"{folder}/run"
        peaks, done = {}, threading.Event()
        watcher = threading.Thread(target=watch_memory, args=(run, peaks, done))
        watcher.start()
        driver.output_of(args.bin / "orthant", "pretrain", *settings(args, batch), "--threads", str(threads),
                         "--processes", str(processes), "--quiet", "-o", run)
        done.set()
        watcher.join()
        line = last_epoch(run)
        return line["images_per_second"], line.get("communication_share", 0), max(peaks.values())


def part_1(args):
    sides = [("1 process of 1 thread", 1, 1), ("1 process of 2 threads", 1, 2), ("2 processes of 1 thread", 2, 1)]
    for batch in [64] if args.small else [args.batch, 4096]:
        results = {name: [] for name, _, _ in sides}
        for _ in range(args.runs):
            for name, processes, threads in sides:
                results[name].append(one_run(args, batch, processes, threads))
        print(f"\nbatch {batch}\n{'':26}{'images/s':>10}{'communication':>15}{'MiB a process':>15}")
        for name, runs in results.items():
            speed, share, memory = (statistics.median(column) for column in zip(*runs))
            print(f"{name:26}{speed:10.1f}{share:14.1%}{memory:15.0f}")


def shell(*words):
    subprocess.run([str(word) for word in words], check=True, capture_output=True)


class Links:
    """Namespaces of our own, one for each process, on a bridge, each behind a link of limited bandwidth."""

    def __init__(self, count, bandwidth):
        self.names = [f"{PREFIX}-{os.getpid()}-{i}" for i in range(count)]
        self.bridge = f"osb{os.getpid() % 100000}"
        self.made = []
        rate = bandwidth.replace("Gbit", "gbit").replace("Mbit", "mbit")
        try:
            shell("ip", "link", "add", self.bridge, "type", "bridge")
            self.made.append(("ip", "link", "del", self.bridge))
            shell("ip", "link", "set", self.bridge, "up")
            for i, name in enumerate(self.names):
                shell("ip", "netns", "add", name)
                self.made.append(("ip", "netns", "del", name))
                outer = f"{self.bridge}.{i}"
                shell("ip", "link", "add", outer, "type", "veth", "peer", "name", "eth0", "netns", name)
                shell("ip", "link", "set", outer, "master", self.bridge, "up")
                shell("ip", "-n", name, "addr", "add", f"10.211.77.{i + 1}/24", "dev", "eth0")
                shell("ip", "-n", name, "link", "set", "eth0", "up")
                shell("ip", "-n", name, "link", "set", "lo", "up")
                shell("ip", "netns", "exec", name, "tc", "qdisc", "add", "dev", "eth0", "root", "tbf", "rate", rate,
                      "burst", "128kb", "latency", "100ms")
        except subprocess.CalledProcessError as error:
            self.remove()
            raise RuntimeError(error.stderr.decode().strip())

    def remove(self):
        for command in reversed(self.made):
            subprocess.run(command, capture_output=True)
        self.made = []


def linked_run(args, batch, count, bandwidth):
    links = Links(count, bandwidth)
    try:
        with tempfile.TemporaryDirectory(prefix=PREFIX) as folder:
            started = []
            for rank, name in enumerate(links.names):
                world = {"RANK": rank, "WORLD_SIZE": count, "LOCAL_RANK": 0, "MASTER_ADDR": "10.211.77.1",
                         "MASTER_PORT": 29511, "OMP_NUM_THREADS": 1}
                started.append(subprocess.Popen(
                    ["ip", "netns", "exec", name, str(args.bin / "orthant"), "pretrain", *settings(args, batch),
                     "--threads", "1", "--timeout", "120", "--quiet", "-o", f"{folder}/run"],
                    env={**os.environ, **{key: str(value) for key, value in world.items()}}))
            codes = [process.wait() for process in started]
            if any(codes):
                raise RuntimeError(f"ranks ended with {codes}")
            return last_epoch(f"{folder}/run")
    finally:
        links.remove()


def part_2(args):
    if os.geteuid() != 0:
        print("\nnot root: no namespaces, so the model of the network is not checked")
        return
    batch = 64 if args.small else args.batch
    cores = os.cpu_count()
    print(f"\nbatch {batch}, each process of 1 thread in a namespace of its own; the plan's computing time is multiplied by "
          f"processes / {cores} cores where there are more processes than cores\n"
          f"{'bandwidth':12}{'processes':>10}{'images/s':>10}{'planned':>10}{'communication':>15}{'planned':>10}")
    for bandwidth in args.bandwidth:
        for count in args.counts:
            plan = driver.json_of(args.bin / "orthant", "pretrain", *settings(args, batch), "--threads", "1",
                                  "--dry-run", "--json", "--quiet", "--processes", str(count), "--bandwidth", bandwidth)
            crowd = max(1.0, count / cores)
            computing = plan["step_seconds_computing"] * crowd
            waiting = plan["step_seconds_gathering"] + max(0, plan["step_seconds_summing"] - computing / 2)
            try:
                line = linked_run(args, batch, count, bandwidth)
            except RuntimeError as error:
                print(f"{bandwidth:12}{count:10}  {error}")
                return
            print(f"{bandwidth:12}{count:10}{line['images_per_second']:10.1f}{batch / (computing + waiting):10.1f}"
                  f"{line['communication_share']:14.1%}{waiting / (computing + waiting):10.1%}")


def main():
    parser = driver.parser(__doc__, runs=3, small=True)
    parser.add_argument("--batch", type=int, default=512)
    parser.add_argument("--bandwidth", nargs="*", default=["1Gbit", "100Mbit"])
    parser.add_argument("--counts", nargs="*", type=int, default=[2, 4, 8])
    parser.add_argument("--part", type=int, choices=[1, 2], help="one of them alone")
    args = parser.parse_args()
    if args.part != 2:
        part_1(args)
    if args.part != 1:
        part_2(args)


if __name__ == "__main__":
    main()
