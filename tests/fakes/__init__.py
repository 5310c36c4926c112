"""Stand-ins at the ports that keep the ports' promises."""
