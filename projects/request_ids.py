"""Each request's id: on the page that says that it failed, and in every line that was logged on its behalf; and what no
line says: the part of an address that opens something."""

import logging
import re
import secrets
from contextvars import ContextVar

_current: ContextVar[str] = ContextVar("request_id", default="-")


def begin_request() -> str:
    """A new id, for this thread's request: ten characters that can be read out on the telephone."""
    made = secrets.token_hex(5)
    _current.set(made)
    return made


def current_request() -> str:
    """The id of the request under way, or "-" outside of one."""
    return _current.get()


class RequestIdFilter(logging.Filter):
    """Gives log records the attribute `request_id`."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = current_request()
        return True


# Whoever has such an address may join a project, or set a pass phrase.
OPENS_SOMETHING = re.compile(r"(/invitation/|/accounts/password/reset/key/|/accounts/confirm-email/)[^/\s?\"']+")


class TokenFilter(logging.Filter):
    """Takes the tokens of addresses out of log records, whoever logs them."""

    def filter(self, record: logging.LogRecord) -> bool:
        try:
            message = record.getMessage()
        except (TypeError, ValueError):  # its words and values do not fit together: the handler says so
            return True
        if OPENS_SOMETHING.search(message):
            record.msg, record.args = OPENS_SOMETHING.sub(r"\1…", message), ()
        return True
