"""The demo: three small web sites, and the run that shows what is found on them."""
