"""The current user: permissions, audit log, language, time zone, dates."""
