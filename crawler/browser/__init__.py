"""Chromium in a child process: pages built by script, screenshots, PDF."""
