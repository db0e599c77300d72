"""What every dashboard of figures is made of, whatever its area."""
