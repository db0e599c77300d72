"""What the gold files of all areas share: the kinds there are, their cards, files prepared as jobs."""
