"""How fast each step is, compared with other libraries, and how that grows with the store."""
