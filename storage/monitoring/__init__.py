"""Metrics, control limits, site alarms, disk forecast, table sizes."""
