"""Values of letters, notices, answers and contacts."""
