"""The bundled Postgres server: binaries, cluster, start, keeper process, memory."""
