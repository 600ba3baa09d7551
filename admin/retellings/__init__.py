"""Blueprint of possible retellings: list, pair, decisions."""
