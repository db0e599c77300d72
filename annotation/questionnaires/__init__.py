"""Tasks whose screen is made of parts: what a stage shows and asks stands in its layout (formats/layout.py)."""
