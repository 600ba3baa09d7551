"""Child processes: fork server, watched process, disk space."""
