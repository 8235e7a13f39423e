"""The names of the parts."""

PARTITIONS = ("train", "dev_in", "dev_out", "eval_in", "eval_out")
"""The five parts of a dataset with a shift: to train on, to tune on and to judge by, in-domain and shifted."""

FITTED = ("train", "dev_in")
"""The parts that a method may see: to train on, and to tune on."""
