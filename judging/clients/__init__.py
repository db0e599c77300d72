"""The only place that talks to providers."""
