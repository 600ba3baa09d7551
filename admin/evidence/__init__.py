"""Case documents: dossier, report, bundle, letters, statements, PDF."""
