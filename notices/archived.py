"""Notices are of accounts, and stay where these are."""

from formats.archive.contents import Contents, LeftOut
from notices.models import Notice

OF_NOTICES = Contents("notices", 18, (), (LeftOut(Notice, "what people of this installation were told"),))
