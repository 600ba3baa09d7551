"""Response times of the desk on a generated store with many pages."""
