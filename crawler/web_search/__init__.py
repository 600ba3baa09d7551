"""Search services behind one protocol, and what is decided about phrases, results and budgets without I/O."""
