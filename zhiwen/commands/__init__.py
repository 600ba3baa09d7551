"""Commands, one file per family: each parses its arguments, makes one call and prints the result."""
