"""Terms and names that a Chinese and an English text have in common, by a word list."""
