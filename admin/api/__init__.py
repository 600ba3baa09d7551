"""The API: the desk's resources for programs, authenticated by token."""
