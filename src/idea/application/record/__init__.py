"""What is written down as it happens, and outlives the server."""
