"""Zhiwen beside other packages on the same texts: time and size of the index, time of a query, recall."""
