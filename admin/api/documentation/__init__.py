"""The guide of the API, in English and Chinese."""
