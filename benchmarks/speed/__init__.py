"""How fast each step is, beside what else people use, and how that grows with the store."""
