"""Tasks: real data with a natural shift, cut into parts, and how a model of them is judged.

>>> from surefoot import tasks
>>> task = tasks.task("covertype")
>>> task.kind, task.error, task.parts
('classification', 'zero_one', ('train', 'dev_in', 'dev_out', 'eval_in', 'eval_out'))

`task.load()` gives the rows: what a model may learn from, and apart from it what annotates the shift.
"""

from surefoot.tasks._data import Part, TaskData, task_data
from surefoot.tasks._shelf import names, task, tasks
from surefoot.tasks._task import Task

__all__ = ["Part", "Task", "TaskData", "names", "task", "task_data", "tasks"]
