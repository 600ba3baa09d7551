"""Sending alerts: dispatcher, sandboxed sender process."""
