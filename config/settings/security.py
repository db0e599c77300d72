"""Signing in and its limits, cookies, what a page may load, mail."""

from csp.constants import NONE, SELF

from config.settings.environment import PRODUCTION, env

# --- People -----------------------------------------------------------------------------------------

AUTH_USER_MODEL = "projects.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ["email", "name"]},
    },
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_REDIRECT_URL = "start"
LOGIN_URL = "account_login"

ACCOUNT_ADAPTER = "projects.accounts.InvitationOnlyAdapter"
ACCOUNT_FORMS = {"signup": "projects.signup.InvitedSignupForm"}
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
# The invitation's link, sent to the address, is the proof that it is theirs.
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = False
ACCOUNT_USER_DISPLAY = "projects.accounts.display_name"
# The visitor's address is the one that the outermost proxy of ours saw. Without this everybody would share the
# proxy's address, and ten wrong pass phrases of a stranger would keep the whole team out.
ALLAUTH_TRUSTED_PROXY_COUNT = env.int("TRUSTED_PROXY_COUNT", default=1 if PRODUCTION else 0)
# allauth counts in the cache alone; the limits below hold without it. Guessing: projects/brute_force.py.
ACCOUNT_RATE_LIMITS = MFA_RATE_LIMITS = False
# Per minute, by route: of each visitor's address, person or e-mail typed. A class behind one address signs in at once.
FORM_LIMITS: dict[str, dict[str, int]] = {
    "account_login": {"address": env.int("SIGN_INS_PER_MINUTE_AND_ADDRESS", default=120)},
    "account_signup": {"address": 60},
    "account_reset_password": {"address": 20, "email": 5},
    "account_reset_password_from_key": {"address": 20},
    "account_change_password": {"person": 5},
    "account_set_password": {"person": 5},
    "account_reauthenticate": {"person": 10},
    "account_email": {"person": 10},
    "mfa_authenticate": {"address": 60},
    "mfa_reauthenticate": {"person": 10},
    "mfa_reauthenticate_webauthn": {"person": 10},
    "mfa_activate_totp": {"person": 10},
    "mfa_login_webauthn": {"address": 30},
}
# What shows nobody's data and is meant to be kept; everything else is no-store.
CACHEABLE_ROUTES = {
    *("texts", "import-schema"),
    *("open-board", "open-board-embed", "open-board-json", "open-board-csv", "open-board-parquet"),
}
USERSESSIONS_ADAPTER = "projects.account_audit.AuditedSessions"
MFA_FORMS = {
    "authenticate": "projects.second_factor.CodeForm",
    "reauthenticate": "projects.second_factor.CodeAgainForm",
    "authenticate_webauthn": "projects.second_factor.PasskeyForm",
    "login_webauthn": "projects.second_factor.PasskeyAloneForm",
    "reauthenticate_webauthn": "projects.second_factor.PasskeyAgainForm",
}
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "Mizan"
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not PRODUCTION
USERSESSIONS_TRACK_ACTIVITY = False

# --- Sessions and pages -----------------------------------------------------------------------------

SESSION_COOKIE_AGE = 60 * 60 * 24 * 14
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "projects.views.errors.csrf_failure"
CSRF_COOKIE_SAMESITE = "Lax"
X_FRAME_OPTIONS = "SAMEORIGIN"  # signing in again happens in a frame of the page that lost its session
SILENCED_SYSTEM_CHECKS = ["security.W019"]  # asks for DENY, which that frame rules out
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"

if PRODUCTION:
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = True
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = "__Host-sessionid", "__Host-csrftoken"
    SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", default=True)
    SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365
    SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = True

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "font-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "frame-src": [SELF],
        "frame-ancestors": [SELF],
        "manifest-src": [SELF],
        "base-uri": [NONE],
        "form-action": [SELF],
        "object-src": [NONE],
    }
}

# --- Mail -------------------------------------------------------------------------------------------

vars().update(env.email_url("EMAIL_URL", default="consolemail://"))
# A mail server that hangs would hold a thread of the web server for as long as it likes.
# What stands before the addresses of pages in mails that no request asked for, such as https://mizan.example.org.
PUBLIC_URL = env.str("PUBLIC_URL", default="")
EMAIL_TIMEOUT = env.float("EMAIL_TIMEOUT", default=5)
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="Mizan <mizan@localhost>")
