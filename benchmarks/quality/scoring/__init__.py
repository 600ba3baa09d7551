"""Metrics, truth, findings, result, report."""
