"""Gold and raw answers as one folder that readers of data sets load without being told anything."""
