"""Blueprint of monitoring: health, metrics."""
