"""Probes of contamination put to the endpoints of a board's models (benchmark/probing says what is asked and read)."""
