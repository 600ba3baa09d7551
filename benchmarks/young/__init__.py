"""How well notices are told from copies on stores that are too young to have learned any."""
