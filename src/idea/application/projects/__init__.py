"""A project from its opening to its end, and the files that people edit."""
