"""A job that failed while another like it was queued: the queue goes on."""

import asyncio

from procrastinate import App, PsycopgConnector
from sqlalchemy import Engine

from storage.database_address import without_driver
from storage.engine import transaction
from storage.jobs import queue
from zhiwen.worker.job_manager import OnceManager


async def _fail_the_running_one(url: str, engine: Engine) -> None:
    connector = PsycopgConnector(
        conninfo=without_driver(url),
        kwargs={"options": f"-c search_path={queue.SCHEMA},public"},
        min_size=1,
        max_size=1,
    )
    app = App(connector=connector)
    app.job_manager = OnceManager(connector)
    async with app.open_async():
        worker = await app.job_manager.register_worker()
        running = await app.job_manager.fetch_job(queues=None, worker_id=worker)
        assert running is not None
        with transaction(engine) as session:
            assert queue.defer_once(session, queue.MATCH)
        await app.job_manager.retry_job(running)


def test_a_job_that_failed_makes_way_for_one_like_it_that_waits(engine: Engine, clean_database_url: str) -> None:
    with transaction(engine) as session:
        queue.defer_once(session, queue.MATCH)

    asyncio.run(_fail_the_running_one(clean_database_url, engine))

    with transaction(engine) as session:
        assert [(job.task, job.state) for job in queue.list_jobs(session)] == [(queue.MATCH, "waiting")]
