"""Trials in processes on this machine: one thread each, kept warm from trial to trial.

Every worker is a pool of one process, so that one that overruns its time or dies takes no other with it.
"""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Hashable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from contextlib import contextmanager
from time import monotonic, sleep
from typing import Any

from surefoot.bench._attempt import DIED, THREADS, attempt, note
from surefoot.bench._job import Ended, Job

_LOOK = 1.0
"""Seconds after which a process looks whether its parent is still there."""


class Local:
    """Processes through loky, which comes with scikit-learn."""

    def __init__(self, workers: int = 2) -> None:
        self.workers = workers
        self._lanes = [_Lane() for _ in range(workers)]

    def run(self, jobs: Sequence[Job]) -> Iterator[Ended]:
        """Run jobs, those that share data in the same process where that leaves none idle."""
        waiting: dict[Hashable, deque[Job]] = {}
        for job in jobs:
            waiting.setdefault(job.together, deque()).append(job)
        busy: dict[Future[Ended], _Lane] = {}
        wait([lane.start() for lane in self._lanes[: len(jobs)]])
        try:
            while waiting or busy:
                for lane in self._lanes:
                    if waiting and lane.job is None:
                        busy[lane.send(_next(waiting, lane, self._lanes))] = lane
                left = min(lane.left for lane in busy.values())
                done, _ = wait(busy, None if left == float("inf") else max(left, 0.0), FIRST_COMPLETED)
                for future in done or [future for future, lane in busy.items() if lane.left <= 0]:
                    lane = busy.pop(future)
                    yield lane.heard(future) if future in done else lane.overrun()
        finally:
            for lane in busy.values():
                lane.kill()

    def close(self) -> None:
        """End the processes."""
        for lane in self._lanes:
            lane.close()


def _next(waiting: dict[Hashable, deque[Job]], lane: _Lane, lanes: list[_Lane]) -> Job:
    """The first job that shares data with the last one here, else one that shares them with none elsewhere."""
    taken = {other.last for other in lanes if other.job is not None}
    liked = [key for key in (lane.last, *waiting) if key in waiting]
    key = next((key for key in liked if key not in taken), liked[0])
    job = waiting[key].popleft()
    if not waiting[key]:
        del waiting[key]
    return job


class _Lane:
    """One process, and the job that it is at."""

    def __init__(self) -> None:
        self._pool: Any = None
        self._start = 0.0
        self.job: Job | None = None
        self.last: Hashable = None

    def start(self) -> Future[None]:
        """Have a process, which is there when the future is done."""
        if self._pool is None:
            from joblib.externals.loky import ProcessPoolExecutor

            self._pool = ProcessPoolExecutor(
                max_workers=1,
                initializer=_begin,
                initargs=(os.getpid(),),
                env=dict.fromkeys(THREADS, "1"),
            )
        with _deaf():
            try:
                ready: Future[None] = self._pool.submit(_ready)
            except BrokenExecutor:  # it died while it had nothing to do
                self._forget()
                return self.start()
        return ready

    def send(self, job: Job) -> Future[Ended]:
        """Give it a job, whose time starts now."""
        if self._pool is None:
            wait([self.start()])
        self.job, self.last, self._start = job, job.together, monotonic()
        try:
            future: Future[Ended] = self._pool.submit(_serve, job)
        except BrokenExecutor:  # it died while it had nothing to do
            self._forget()
            wait([self.start()])
            future = self._pool.submit(_serve, job)
        return future

    @property
    def left(self) -> float:
        """Seconds until its job has overrun its time."""
        timeout = self.job.limits.timeout if self.job else None
        return float("inf") if timeout is None else self._start + timeout - monotonic()

    def heard(self, future: Future[Ended]) -> Ended:
        """How its job has ended; if the process has died, the job has failed."""
        job, self.job = self.job, None
        error = future.exception()
        if error is None:
            return future.result()
        assert job is not None
        self._forget()
        return note(job, DIED, self._start)

    def overrun(self) -> Ended:
        """End the process because its job takes too long."""
        job = self.job
        assert job is not None
        self.kill()
        return note(job, f"it took longer than {job.limits.timeout:g} s", self._start)

    def kill(self) -> None:
        """End the process by force."""
        self.job = None
        if self._pool is not None:
            self._pool.shutdown(wait=True, kill_workers=True)
        self._forget()

    def close(self) -> None:
        """End the process, which has nothing to do."""
        if self._pool is not None:
            self._pool.shutdown(wait=True)
        self._forget()

    def _forget(self) -> None:
        self._pool, self.last = None, None


_loaded: dict[Hashable, Any] = {}
"""The data of the last job of this process."""


def _serve(job: Job) -> Ended:
    def data() -> Any:
        if job.together not in _loaded:
            _loaded.clear()
            _loaded[job.together] = job.load()
        return _loaded[job.together]

    return attempt(job, data)


def _ready() -> None: ...


@contextmanager
def _deaf() -> Iterator[None]:
    """Processes that start now do not hear Ctrl-C: it is for the parent, which ends its workers."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread is told of signals, and only there may they be set
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _begin(parent: int) -> None:
    """In a new process: Ctrl-C is for the parent, without which there is nothing to work for."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # where it was not deaf from the beginning

    def look() -> None:
        while os.getppid() == parent:
            sleep(_LOOK)
        os._exit(1)

    threading.Thread(target=look, daemon=True).start()
