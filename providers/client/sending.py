"""Whether a call has left this process."""

import asyncio


class NeverSent(asyncio.CancelledError):
    """A call was broken off before its first attempt: while it waited for its permit."""
