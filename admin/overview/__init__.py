"""Blueprints of the overview and of onboarding."""
