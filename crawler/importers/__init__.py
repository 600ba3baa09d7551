"""Articles from files: records, tables, feeds, saved pages, documents."""
