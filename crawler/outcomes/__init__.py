"""Why a URL was not stored: refusals with their words, and errors."""
