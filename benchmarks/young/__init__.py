"""How well notices and copies are kept apart on stores that are too young to have learned any notice."""
