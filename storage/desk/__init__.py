"""What the desk remembers: saved views, visits, cases put off, comments, templates, onboarding, figures, settings."""
