"""Trials as tasks of Ray, on one machine or many; needs the extra `ray`.

The folder of the runs has to be one that every node sees. Ray starts a task again if its node is lost, never if the
trial fails. The driver loads the data of trials that share them and puts them into the object store once.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterator, Sequence
from time import monotonic
from typing import Any

from surefoot.bench._attempt import DIED, PATIENCE, attempt, note
from surefoot.bench._job import End, Ended, Job
from surefoot.bench._limits import Limits
from surefoot.bench._store import Place
from surefoot.errors import InputError

QUEUED = 4
"""Tasks for each processor of the cluster that are handed in before any has ended."""

_LOOK = 0.5
"""Seconds after which running tasks are looked at, if some may overrun."""


class Ray:
    """Tasks on the cluster of RAY_ADDRESS, else on one of this machine that lives as long as this object."""

    def __init__(self, workers: int | None = None) -> None:
        self._ray = _imported()
        self._ours = not self._ray.is_initialized()
        if self._ours:
            where: dict[str, Any] = {"address": os.environ.get("RAY_ADDRESS")}
            if where["address"] is None:
                where = {"address": "local", "num_cpus": workers, "include_dashboard": False}
            self._ray.init(**where, log_to_driver=False, logging_level="ERROR")
        processors = max(int(self._ray.cluster_resources().get("CPU", 1)), 1)
        self.workers = workers or processors
        self._queue = self.workers if workers and not self._ours else QUEUED * processors
        self._tasks: dict[Limits, Any] = {}

    def run(self, jobs: Sequence[Job]) -> Iterator[Ended]:
        """Run jobs, those that share data after each other; so many are handed in that no processor waits."""
        for limits in {job.limits for job in jobs}:
            self._refuse_too_much(limits)
        groups: dict[Hashable, list[Job]] = {}
        for job in jobs:
            groups.setdefault(job.together, []).append(job)
        waiting = [job for group in reversed(groups.values()) for job in reversed(group)]
        left = {key: len(group) for key, group in groups.items()}
        data: dict[Hashable, Any] = {}
        running: dict[Any, _Running] = {}
        try:
            while waiting or running:
                while waiting and len(running) < self._queue:
                    job = waiting.pop()
                    if job.together not in data:
                        data[job.together] = self._put(job)
                    running[self._send(job, data[job.together])] = _Running(job)
                timed = any(one.job.limits.timeout for one in running.values())
                done, _ = self._ray.wait(list(running), timeout=_LOOK if timed else None)
                if timed:
                    done += [ref for ref, one in running.items() if ref not in done and one.overdue()]
                for ref in done:
                    one = running.pop(ref)
                    yield self._ended(ref, one)
                    left[one.job.together] -= 1
                    if not left[one.job.together]:
                        del data[one.job.together]
        finally:
            for ref in running:
                self._ray.cancel(ref, force=True)

    def close(self) -> None:
        """Leave the cluster; one of our own ends."""
        if self._ours:
            self._ray.shutdown()

    def _refuse_too_much(self, limits: Limits) -> None:
        """Refuse what no node can set aside, for which Ray would wait for ever."""
        nodes = [node["Resources"] for node in self._ray.nodes() if node["Alive"]]
        wanted = {"CPU": limits.cpus, "GPU": limits.gpus, "memory": limits.memory or 0.0}
        for name, amount in wanted.items():
            most = max(node.get(name, 0.0) for node in nodes)
            if amount > most:
                raise InputError(
                    f"limits ask for {amount:g} of {name}, and no node of the cluster has more than {most:g}; "
                    "lower them, or start such a node"
                )

    def _put(self, job: Job) -> Any:
        """The data of a job in the object store; what cannot be loaded here is left to the task, which tells why."""
        try:
            loaded = job.load()
        except Exception:  # noqa: BLE001 (the task meets it again, and notes it where it belongs)
            return None
        return None if loaded is None else self._ray.put(loaded)

    def _send(self, job: Job, data: Any) -> Any:
        if job.limits not in self._tasks:
            self._tasks[job.limits] = self._ray.remote(**_options(job.limits))(_task)
        return self._tasks[job.limits].remote(job, data)

    def _ended(self, ref: Any, one: _Running) -> Ended:
        """How a task has ended; one that takes too long is ended now."""
        if one.late:
            self._ray.cancel(ref, force=True)
            return note(one.job, f"it took longer than {one.job.limits.timeout:g} s", one.start)
        try:
            return Ended(one.job, *self._ray.get(ref))
        except self._ray.exceptions.RayError as error:
            lost = isinstance(error, self._ray.exceptions.NodeDiedError)
            return note(one.job, "its node was lost too often" if lost else DIED, one.start)


class _Running:
    """A task that was handed in, and since when it runs."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.start = monotonic()
        self.late = False
        self._node: str | None = None

    def overdue(self) -> bool:
        """Whether it has run for too long; its status tells where it runs, and so that it does."""
        status = Place(self.job.folder).status
        if status.get("token") == self.job.token and status["node"] != self._node:
            self._node, self.start = status["node"], monotonic()
        timeout = self.job.limits.timeout
        self.late = self._node is not None and timeout is not None and monotonic() > self.start + timeout
        return self.late


def _options(limits: Limits) -> dict[str, Any]:
    """Limits in Ray's words."""
    options = {"num_cpus": limits.cpus, "num_gpus": limits.gpus, "max_retries": limits.retries}
    if limits.memory is not None:
        options["memory"] = int(limits.memory)
    return {**options, "retry_exceptions": False}


def _task(job: Job, data: Any) -> tuple[End, float, str]:
    """What runs on a node."""
    import ray

    node = ray.get_runtime_context().get_node_id()
    ended = attempt(job, job.load if data is None else lambda: data, node=node, patience=PATIENCE)
    return ended.state, ended.seconds, ended.reason


def _imported() -> Any:
    try:
        import ray
    except ImportError:
        raise InputError("the engine ray needs Ray; pip install 'surefoot[ray]'") from None
    return ray
