"""How many actors a cluster has room for, and what each reserves, so that reading and writing go on."""

import math
from typing import NamedTuple

# The part of a node's CPUs that stays free for reading and writing, if that is more than one.
_FREE = 1 / 16
# What one task that reads or writes reserves of a CPU.
TASK_CPUS = 0.25


class Node(NamedTuple):
    """The resources of a machine."""

    cpus: float
    gpus: float


class Plan(NamedTuple):
    """Actors, and what each reserves and uses."""

    actors: int
    num_cpus: float
    num_gpus: float
    threads: int | None


def free(nodes):
    """The CPUs that no actor reserves: half of them where GPUs compute, else few of each node."""
    if any(node.gpus for node in nodes):
        cpus = sum(node.cpus for node in nodes)
        return min(cpus, max(1, cpus / 2))
    return sum(min(node.cpus, max(1, int(node.cpus * _FREE))) for node in nodes)


def tasks(nodes):
    """How many tasks may read at the same time, and how many may write: half of the free CPUs each."""
    return max(1, int(free(nodes) / 2 / TASK_CPUS))


def plan(nodes, available=None, actors=None, threads=1, gpus=None):
    """Where actors run: one for each GPU, which reserves no CPU; without GPUs one for each CPU.

    Actors of CPUs reserve less than the threads that they have: together they leave the `free` CPUs of all
    nodes to the tasks that list, read and write files. These compute little, and actors wait for them without
    computing, so that the operating system shares the cores.
    """
    count = sum(node.gpus for node in nodes)
    if gpus is None:
        gpus = 1 if count >= 1 else 0
    if gpus > 0:
        room = sum(int(node.gpus / gpus) for node in nodes)
        # A cluster may grow to the actors that are asked for: they take no CPU from tasks.
        where = f"{gpus:g} GPUs each in a cluster of {count:g} GPUs"
        chosen = _chosen(actors, actors or room, where)
        return Plan(chosen, 0, gpus, None)
    cpus, spare = sum(node.cpus for node in nodes), free(nodes)
    if spare < 1:
        raise ValueError(f"expected a CPU for reading and writing in the cluster, found {cpus:g} CPUs")
    room = sum(int(node.cpus / threads) for node in nodes)
    chosen = _chosen(actors, room, f"{threads} threads each in a cluster of {cpus:g} CPUs")
    # Ray counts ten-thousandths of a CPU.
    num_cpus = math.floor((1 - spare / cpus) * threads * 10_000) / 10_000
    if actors is None and available is not None and num_cpus > 0:
        chosen = max(1, min(chosen, int((available - spare) / num_cpus)))
    return Plan(chosen, num_cpus, 0, threads)


def _chosen(actors, room, where):
    if room < 1 or (actors is not None and not 1 <= actors <= room):
        found = f", found {actors}" if actors is not None else ""
        raise ValueError(f"actors: expected 1 to {room} of {where}{found}")
    return room if actors is None else actors
