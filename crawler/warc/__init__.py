"""WARC files: writer, reader, HTTP bodies."""
