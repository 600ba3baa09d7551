"""Speed benchmark: each step beside other libraries, and its growth with the store."""
