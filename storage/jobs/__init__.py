"""The job queue, schedules, and alert events."""
