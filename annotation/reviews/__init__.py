"""Cross-validation: every marked span is judged by people other than who marked it, blind to its source."""
