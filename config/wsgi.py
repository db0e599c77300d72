import os
from importlib import import_module

from django.core.wsgi import get_wsgi_application

from config.sqlite import hold_database_open

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_wsgi_application()

# They load when a figure first needs them (`import scipy` alone loads none): here before the first visitor comes, and
# never in workers that only ask judges, which are smaller by seventy megabytes for it.
for part in ("linalg", "optimize", "sparse", "special", "stats"):
    import_module(f"scipy.{part}")

hold_database_open()
