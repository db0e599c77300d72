"""Static files, uploads, and space on the disk."""

from pathlib import Path

from config.settings.environment import BASE_DIR, env

STATIC_URL = "/static/"
STATIC_ROOT = Path(env.str("STATIC_ROOT", default=str(BASE_DIR / "staticfiles")))
STATICFILES_DIRS = [BASE_DIR / "static" / "dist"]
# Tests and development read the sources in place; a server serves hashed, compressed copies.
STATIC_HASHED = env.bool("STATIC_HASHED", default=True)
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if STATIC_HASHED
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = not STATIC_HASHED
WHITENOISE_KEEP_ONLY_HASHED_FILES = STATIC_HASHED
# Beside what is compressed already: source maps, which only a developer's tools ask for.
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = ["png", "woff", "woff2", "eot", "ttf", "gz", "br", "map", "txt", "html"]
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
# Larger files come in through the commands, which have no limit.
IMPORT_MAX_BYTES = env.int("IMPORT_MAX_BYTES", default=50_000_000)
# With less space than this /readyz says that it is limited.
DISK_RESERVE_MB = env.int("DISK_RESERVE_MB", default=200)
