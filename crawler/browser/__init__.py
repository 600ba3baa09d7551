"""Chromium in a child process: pages built by script, recordings of pages, screenshots, PDF."""
