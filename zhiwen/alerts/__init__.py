"""Sending alerts and letters: dispatcher, letter delivery, sandboxed sender process."""
