"""Blueprint of hits: list, side by side, explanations."""
