"""The conversations that CLIs keep by themselves, read with bounds and never written."""
