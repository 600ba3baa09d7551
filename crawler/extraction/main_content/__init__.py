"""The main text of a page: region, features of blocks, own reader, second reader, clutter, trimming."""
