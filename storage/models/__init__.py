"""Tables as declarations, one file per noun."""
