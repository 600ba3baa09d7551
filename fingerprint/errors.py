"""Errors of this package. A text never causes one; parameters may."""


class FingerprintError(Exception):
    """The root of this package's errors."""


class ParameterError(FingerprintError, ValueError):
    """A parameter outside what the algorithm allows. The message says what to pass instead."""
