"""The web in, articles out."""
