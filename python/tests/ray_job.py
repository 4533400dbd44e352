"""A Ray job over Parquet files whose workers are killed, compared with one process. Prints a line of JSON.

    python ray_job.py [--rows N] [--nodes N] [--cpus N] [--gpus N] [--workers N] [--writers N] [--outside N]

Workers and writers are killed with SIGKILL: by themselves in the middle of a block, and from outside at any
moment. The engine is that of `--engine`: Ray counts the GPUs of `--gpus`, whether there are any or not.
"""

import argparse
import json
import os
import pathlib
import signal
import tempfile
import threading
import time

import ray
from ray_rows import EXPR, OUT, compare, make

import limbforge._ray_sink
import limbforge.ray as lfr


def die(folder, kind):
    """Ends this process by SIGKILL if the folder has a token for it, which is taken."""
    for token in pathlib.Path(folder).glob(f"kill-{kind}-*"):
        try:
            os.rename(token, f"{folder}/killed-{kind}-{os.getpid()}")
        except FileNotFoundError:
            continue
        os.kill(os.getpid(), signal.SIGKILL)


class Killed(lfr.Evaluate):
    """Notes where it runs, and dies when a block is computed but not returned."""

    def __init__(self, folder, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.folder = folder

    def __call__(self, table):
        found = super().__call__(table)
        context = ray.get_runtime_context()
        gpus = context.get_accelerator_ids().get("GPU", [])
        note = {"node": context.get_node_id(), "gpus": gpus, "pid": os.getpid(), "rows": len(table)}
        with open(f"{self.folder}/notes-{os.getpid()}", "a") as file:
            print(json.dumps(note), file=file)
        die(self.folder, "worker")
        return found


class KilledSink(limbforge._ray_sink.ParquetSink):
    """Dies when a file is half written, or when it is written and nobody knows."""

    def __init__(self, *args):
        super().__init__(*args)
        self.folder = FOLDER

    def write(self, blocks, ctx):
        with open(f"{self._staged}/{ctx.task_idx:06}-half.parquet", "wb") as file:
            file.write(b"PAR1")
            file.flush()
            die(self.folder, "writer-half")
        found = super().write(blocks, ctx)
        die(self.folder, "writer-whole")
        return found


def kill_from_outside(count):
    """Kills so many workers of this session that compute, one after the other."""
    from ray._private.thirdparty.psutil import NoSuchProcess, Process  # Ray's own copy.

    killed, me = [], Process()
    while len(killed) < count:
        time.sleep(0.5)
        for process in me.children(recursive=True):
            try:
                title = " ".join(process.cmdline())
                if title.startswith("ray::MapWorker") and "submit" in title and process.pid not in killed:
                    process.kill()
                    killed.append(process.pid)
                    break
            except NoSuchProcess:
                continue


def lose_a_machine(cluster):
    """Kills the last raylet with all of its workers and blocks, once an actor there has computed a block."""
    node = cluster.list_all_nodes()[-1]
    while not any(node.node_id in path.read_text() for path in pathlib.Path(FOLDER).glob("notes-*")):
        time.sleep(0.05)
    cluster.remove_node(node, allow_graceful=False)


def started(options):
    """Starts a raylet, or several on this machine: their cluster."""
    if options.nodes == 1:
        how = {"include_dashboard": False, "log_to_driver": False, "object_store_memory": 1 << 30}
        ray.init("local", num_cpus=options.cpus, num_gpus=options.gpus, **how)
        return None
    from ray.cluster_utils import Cluster

    cluster = Cluster()
    for _ in range(options.nodes):
        cluster.add_node(num_cpus=options.cpus, num_gpus=options.gpus, object_store_memory=300 << 20)
    ray.init(address=cluster.address, log_to_driver=False)
    return cluster


def job(source, target, options, cluster):
    how = {"keep": ["id"], "engine": options.engine, "threads": 1}
    gpus = 1 if options.gpus else 0
    table = lfr.read_parquet(source, block_size=max(1 << 20, options.rows * 580 // 20))
    table = table.map_batches(
        Killed,
        fn_constructor_args=(FOLDER, EXPR, OUT, "u2048"),
        fn_constructor_kwargs=how,
        **lfr.map_options("u2048", gpus=gpus) | ({"batch_size": options.rows // 20} if gpus else {}),
    )
    for _ in range(options.outside):
        threading.Thread(target=kill_from_outside, args=(1,), daemon=True).start()
    if options.lose:
        threading.Thread(target=lose_a_machine, args=(cluster,), daemon=True).start()
    lfr.write_parquet(table, target)


def main():
    parser = argparse.ArgumentParser()
    for name, default in (("rows", 20_000), ("nodes", 1), ("cpus", 4), ("gpus", 0), ("workers", 2)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--writers", type=int, default=2)
    parser.add_argument("--outside", type=int, default=0)
    parser.add_argument("--lose", action="store_true", help="kill one of several raylets")
    parser.add_argument("--engine", default="cpu")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        global FOLDER
        FOLDER = folder
        source, target = f"{folder}/in", f"{folder}/out"
        os.mkdir(source)
        make(source, options.rows)
        kinds = ["worker"] * options.workers + ["writer-half", "writer-whole"][: options.writers]
        for i, kind in enumerate(kinds):
            pathlib.Path(f"{folder}/kill-{kind}-{i}").touch()
        limbforge._ray_sink.ParquetSink = KilledSink
        cluster = started(options)
        start = time.time()
        job(source, target, options, cluster)
        seconds = time.time() - start
        machines = sum(node["Alive"] for node in ray.nodes())
        ray.shutdown()
        if cluster is not None:
            cluster.shutdown()
        notes = [json.loads(line) for path in pathlib.Path(folder).glob("notes-*") for line in path.open()]
        killed = sorted(path.name.rpartition("-")[0] for path in pathlib.Path(folder).glob("killed-*"))
        found = {
            "seconds": round(seconds, 1),
            "killed": killed,
            "left": len(list(pathlib.Path(folder).glob("kill-*"))),
            "computed": sum(note["rows"] for note in notes),
            "places": sorted({f"{note['node']} {note['gpus']}" for note in notes}),
            "actors": len({note["pid"] for note in notes}),
            "machines": machines,
        }
        print(json.dumps({**found, **compare(source, target)}))


if __name__ == "__main__":
    main()
