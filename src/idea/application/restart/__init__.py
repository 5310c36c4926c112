"""What a server before this one left, and how it goes on."""
