"""The cluster that Ray has joined, and the actors that it has room for."""

import os

from limbforge import _ray_plan
from limbforge._limbforge import IntType

# Bytes of the results of a batch on a GPU.
_GPU_BATCH = 64 << 20


def ray_module():
    """Ray, with its data sets."""
    try:
        import ray
        import ray.data
    except ImportError as error:
        raise ImportError("limbforge.ray needs Ray: pip install 'limbforge[ray]'") from error
    return ray


def nodes():
    """The machines of the cluster, which is started if there is none."""
    ray = ray_module()
    if not ray.is_initialized():
        ray.init()
    alive = [node["Resources"] for node in ray.nodes() if node["Alive"]]
    return [_ray_plan.Node(node.get("CPU", 0), node.get("GPU", 0)) for node in alive]


def place(path):
    """The path as all processes see it: those of Ray have other working folders."""
    path = os.fspath(path)
    return path if "://" in path else os.path.abspath(path)


def plan(*, actors=None, threads=1, gpus=None):
    """The actors for which the cluster has room now."""
    machines = nodes()
    available = ray_module().available_resources().get("CPU", 0)
    return _ray_plan.plan(machines, available, actors=actors, threads=threads, gpus=gpus)


def options_of(plan, batch_size=None, **strategy):
    """The options of ``Dataset.map_batches`` for the actors of a plan."""
    return {
        "batch_format": "pyarrow",
        "batch_size": batch_size,
        "zero_copy_batch": True,
        "compute": ray_module().data.ActorPoolStrategy(**{"size": plan.actors, **strategy}),
        "num_cpus": plan.num_cpus,
        "num_gpus": plan.num_gpus or None,
    }


def map_options(dtype=None, *, actors=None, threads=1, gpus=None):
    """The options of ``Dataset.map_batches`` for ``Evaluate``: an actor on each GPU, else on each CPU.

    Actors hold what they reserve as long as a job runs. If they reserved all CPUs, no task could read or
    write, and the job would never end. These leave at least one CPU free on each machine.

    ===========  ========================================================================================
    ``dtype``    the type of the integers, by which the batches of GPUs are sized
    ``actors``   how many; by default all that the cluster has room for now. Of GPUs also more, for a cluster
                 that grows
    ``threads``  threads of an actor on CPUs
    ``gpus``     GPUs of an actor, also a part of one; by default 1 if the cluster has any, 0 for CPUs
    ===========  ========================================================================================

    >>> import limbforge.ray as lfr
    >>> options = lfr.map_options("u256", actors=1, gpus=0)
    >>> options["num_cpus"] < 1, options["batch_format"]
    (True, 'pyarrow')
    >>> table = lfr.read_parquet("keys.parquet")
    >>> found = table.map_batches(lfr.Evaluate, fn_constructor_args=("gcd(n, d)", "g", "u256"), **options)
    """
    found = plan(actors=actors, threads=threads, gpus=gpus)
    batch = None
    if found.num_gpus:
        batch = max(1, _GPU_BATCH // (IntType(dtype).itemsize if dtype else 256))
    return options_of(found, batch)
