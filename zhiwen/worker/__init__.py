"""The worker: jobs, scheduler, self-monitoring, captures, timestamping."""
