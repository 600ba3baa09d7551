"""Letters at the desk."""
