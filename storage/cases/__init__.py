"""Cases: findings, listing, detail, actions, decisions, severity, permissions, licences."""
