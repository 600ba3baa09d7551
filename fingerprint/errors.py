"""What this package raises. A text is never an error; parameters may be."""


class FingerprintError(Exception):
    """The root of this package's errors."""


class ParameterError(FingerprintError, ValueError):
    """A parameter is outside what the algorithm allows. The message says what to pass instead."""
