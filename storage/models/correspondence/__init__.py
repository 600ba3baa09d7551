"""Tables of letters, answers and contacts."""
