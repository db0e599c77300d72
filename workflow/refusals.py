"""Work that cannot go on as asked, with a stable code for programs and a sentence for people."""

from django.utils.translation import gettext as _


class Refused(Exception):
    """Nothing was changed; what the person wrote is kept. `code` is one of `message_of`, or comes with its message
    where a room above refuses; `url` is the page on which the person can do something about it, if there is one.
    """

    def __init__(self, code: str, message: str = "", url: str = ""):
        self.code = code
        self.message = message or message_of(code)
        self.url = url
        super().__init__(f"{code}: {self.message}")


class Conflict(Exception):
    """The draft was saved from elsewhere meanwhile. Both sides are kept; `version` and `body` are the stored one."""

    code = "conflict"

    def __init__(self, version: int, body: dict):
        self.version = version
        self.body = body
        self.beside: dict = {}  # what was stored all the same, as the caller is told
        self.message = _("This item was saved from another tab or device meanwhile. Both versions are kept.")
        super().__init__(self.message)


def message_of(code: str) -> str:
    messages = {
        "lease_lost": _(
            "The time for this item ran out and others have taken it. What you wrote is kept; take the next item."
        ),
        "given_back": _("You gave this item back. What you wrote is kept; take the next item."),
        "submitted": _("This item has been submitted already. Nothing was changed."),
        "reassigned": _("The lead gave this item to someone else. What you wrote is kept; take the next item."),
        "not_as_stored": _(
            "Your browser shows another text than the one that is judged; it may have translated the page. What you "
            "wrote is kept on this device: switch translation off and open the item again."
        ),
        "closed": _("This stage is closed for now. Your lead can open it again."),
        "day_full": _("That is all for today: new items come after your midnight. What you have begun you can finish."),
        "locked": _("The answers of this stage are locked. Ask your lead to reopen this one."),
        "built_on": _("Others have begun to work with this answer, so it can no longer be changed."),
        "not_submitted": _("Only a submitted answer can be reopened."),
        "had_already": _("This person has this item or has answered it already."),
        "own_beginning": _(
            "This was begun as somebody's own: it can be finished or given up for good, but not given to others."
        ),
        "wrong_variety": _("This person does not work in the language of this item."),
    }
    return messages[code]
