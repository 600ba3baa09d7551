"""Tasks for the processes of the quality benchmark: importing this costs such a process nothing."""


def double(_engine: object, number: int) -> int:
    if number < 0:
        message = "cannot double that"
        raise ValueError(message)
    return 2 * number


def refuse(_engine: object, text: str) -> str:
    raise ValueError(f"no {text}")
