"""Two texts in, a judgement out."""
