"""Read-only figures: who copies whom, precision, detection latency, row counts."""
