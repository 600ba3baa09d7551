"""Why a URL was not stored: refusals and errors."""
