"""One file per family of commands: parse, one call, print."""
