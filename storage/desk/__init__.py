"""What the desk remembers: saved views, visits, cases put off, comments, letter templates, onboarding, figures."""
