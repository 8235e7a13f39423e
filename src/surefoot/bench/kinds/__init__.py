"""The kinds of trials that the package has; each module has a `KIND`."""
