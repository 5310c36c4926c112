"""Everything that IdeA keeps in files: agents, settings, layouts, records, approvals, locks."""
