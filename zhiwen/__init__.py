"""The shell: command line, settings, wiring."""
