"""The programming interface and its limits."""

from config.settings.environment import env

# Of one token (or one person's session), of one visitor's address, and tokens that are none, of one address.
API_REQUESTS_PER_MINUTE = env.int("API_REQUESTS_PER_MINUTE", default=600)
API_REQUESTS_PER_MINUTE_AND_ADDRESS = env.int("API_REQUESTS_PER_MINUTE_AND_ADDRESS", default=3000)
API_BAD_TOKENS_PER_MINUTE = env.int("API_BAD_TOKENS_PER_MINUTE", default=20)
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "projects.api.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_THROTTLE_CLASSES": ["projects.api.throttles.PerToken"],
    "DEFAULT_PAGINATION_CLASS": "rest_framework.pagination.CursorPagination",
    "PAGE_SIZE": 100,
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Mizan",
    "DESCRIPTION": "Projects, responses, answers of people and judges, and what they add up to.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.IsAuthenticated"],
    "ENUM_NAME_OVERRIDES": {
        "Access": "benchmark.models.Access",
        "QuestionDecision": "benchmark.models.Decision",
        "JobState": "jobs.models.JobState",
        "ProbeKind": "benchmark.models.ProbeKind",
        "RunState": "judging.models.RunState",
        "SubmissionState": "benchmark.models.SubmissionState",
    },
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}
