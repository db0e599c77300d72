"""In which state the rows are that figures rest on: kept by triggers, read by one query."""
