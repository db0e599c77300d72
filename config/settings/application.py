"""What the application is made of: rooms, middleware, templates, languages, log."""

from config.settings.environment import BASE_DIR, env

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "django.forms",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "rest_framework",
    "django_filters",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_htmx",
    "csp",
    "projects",
    "formats",
    "jobs",
    "notices",
    "workflow",
    "annotation",
    "rubrics",
    "benchmark",
    "providers",
    "judging",
    "screening",
    "reports",
    "demo",
]

MIDDLEWARE = [
    "projects.middleware.FailureMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",  # before compression: its files have compressed copies
    "config.compression.CompressionMiddleware",
    "projects.middleware.NothingIsKept",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "allauth.usersessions.middleware.UserSessionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "csp.middleware.CSPMiddleware",
    "projects.middleware.SignInAgain",
    "projects.middleware.Limits",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

FORM_RENDERER = "django.forms.renderers.TemplatesSetting"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        # A judge kind brings the template of its answers along: "kinds/spans/answer.html".
        "DIRS": [BASE_DIR / "templates", BASE_DIR / "judging"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# --- Languages and time -----------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [
    ("en", "English"),
    ("ar", "العربية"),
    ("bn", "বাংলা"),
    ("id", "Bahasa Indonesia"),
    ("ko", "한국어"),
]
# What Django and allauth leave untranslated in one of the languages stands beside the texts of our own.
LOCALE_PATHS = [BASE_DIR / "locale", BASE_DIR / "locale" / "libraries"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_COOKIE_AGE = 60 * 60 * 24 * 365
LANGUAGE_COOKIE_SAMESITE = "Lax"

# --- Log --------------------------------------------------------------------------------------------

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "request": {"()": "projects.request_ids.RequestIdFilter"},
        "tokens": {"()": "projects.request_ids.TokenFilter"},
    },
    "formatters": {"line": {"format": "{asctime} {levelname} {name} {request_id} {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["request", "tokens"]}},
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="INFO")},
    "loggers": {"httpx2": {"level": "WARNING"}, "openai": {"level": "WARNING"}},
}
