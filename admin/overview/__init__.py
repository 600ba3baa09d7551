"""Blueprints of the overview (the morning sheet) and of onboarding."""
