"""What is wrong with a form."""


class Wrong(ValueError):
    """A field that cannot be used; the message says why, in the reader's language."""
