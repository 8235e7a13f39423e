"""The exceptions a user may meet; each message says what is wrong, where, and what to do."""


class SurefootError(Exception):
    """Anything Surefoot refuses to do; the command line prints it as one sentence and exits with 2."""


class InputError(SurefootError, ValueError):
    """Data or arguments that cannot be used: the message names the rows or columns and the remedy."""


class DownloadError(SurefootError, OSError):
    """A dataset could not be fetched, or what arrived is not what its card promises."""


class NotComparable(SurefootError):
    """A comparison that would mean nothing: the message gives the reason and what to do instead."""


class NotComparableWarning(UserWarning):
    """The same reason, where the comparison was forced."""
