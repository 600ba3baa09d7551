"""Blueprints of discovery by search services: what was found, what was asked, proposed sites, services."""
