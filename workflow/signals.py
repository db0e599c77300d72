"""What happened to answers, for the rooms above to react to. Sent inside the transaction that did it:
what a receiver writes stands or falls with the answer."""

from django.dispatch import Signal

# Both are sent with `assignment`.
answer_stored = Signal()
answer_withdrawn = Signal()
# Sent with `project` once a project file has made stages of it: rows made together send no signals of their own.
stages_made = Signal()
