"""Blueprint of analysis: who copies whom, precision, thresholds."""
