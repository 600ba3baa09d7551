"""The demo: three small web sites, and the run that finds the copies among them."""
