"""What the queue does with a job that failed and is to be tried again."""

from datetime import datetime

from procrastinate.exceptions import UniqueViolation
from procrastinate.jobs import Job, Status
from procrastinate.manager import JobManager


class OnceManager(JobManager):
    """Drops a job instead of retrying it if one like it waits already: that one does what this one was to do.

    The library would leave it running for ever, and the waiting one behind its lock.
    """

    async def retry_job(
        self,
        job: Job,
        retry_at: datetime | None = None,
        priority: int | None = None,
        queue: str | None = None,
        lock: str | None = None,
    ) -> None:
        try:
            await super().retry_job(job, retry_at, priority, queue, lock)
        except UniqueViolation:
            if job.id is not None:
                await self.finish_job_by_id_async(job.id, Status.ABORTED, delete_job=True)
