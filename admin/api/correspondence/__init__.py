"""Letters and notices, their answers and terms, for programs."""
