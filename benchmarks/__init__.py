"""What is measured, and how: run by `zhiwen bench`."""
