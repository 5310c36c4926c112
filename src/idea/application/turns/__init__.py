"""One message to an agent and all it does until its answer, whoever sent it."""
