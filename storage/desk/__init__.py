"""What the desk remembers: saved views, visits, letter templates, onboarding, dashboard, changed settings."""
