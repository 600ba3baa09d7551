"""Why a pair was found, and why not."""
