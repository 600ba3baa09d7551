"""The corpus of the quality benchmark."""
