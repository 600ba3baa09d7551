"""Who looks: current user, permissions, language, time zone, dates."""
