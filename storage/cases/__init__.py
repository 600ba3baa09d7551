"""Cases: findings, listing, filters, detail, actions, decisions, severity, permissions, licences."""
