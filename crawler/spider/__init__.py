"""The spider of one site and its parts."""
