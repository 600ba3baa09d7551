"""A Spark cluster on loopback, and the sweep of a store on it beside the sweep of one process."""
