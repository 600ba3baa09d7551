"""Blueprint of the settings that are changed at the desk, and their labels."""
