"""From a response to an article or a refusal."""
