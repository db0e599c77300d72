"""Who does what next: the items of a stage, and who holds them."""

import uuid
from itertools import combinations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from projects.models import (
    LanguageVariety,
    Project,
    Prompt,
    PromptTemplate,
    Rater,
    Response,
    ResponsePair,
)
from workflow.models.stages import Stage

# Of a prompt, in characters: enough to know an item again by.
FIRST_WORDS = 80
SUBJECTS = ("response", "prompt", "pair", "template")


def at_most_one_subject() -> Q:
    """Of every two subjects one is empty."""
    condition = Q()
    for one, other in combinations(SUBJECTS, 2):
        condition &= Q(**{one: None}) | Q(**{other: None})
    return condition


# A lead's list of the items in the order of the queue. That there are never fewer than 0 slots excludes nothing: the
# search for a person's next item does not state it, so that PostgreSQL cannot take this index for it and read every
# item that is done.
IN_A_LIST = Q(is_check=False, slots__gte=0)


class WorkItem(models.Model):
    """What is to be done in a stage by `slots` raters, of which `open_slots` are still to be claimed.

    It is about a response or a pair of them; or about a prompt or a template, where what is written comes before
    any response; or about nothing, where a rater has begun something of their own.

    An item that is a check has its gold answer already and is given to raters to see how they do, beside the
    queue and unrecognisably: it counts in no progress, and its answers in no figure about responses.

    `position` is the order in which items are handed out. The partial index holds open items alone, so the
    next item is found at the same cost among a thousand and among a million.
    """

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="items")
    response = models.ForeignKey(Response, models.CASCADE, null=True, blank=True, related_name="work_items")
    prompt = models.ForeignKey(Prompt, models.CASCADE, null=True, blank=True, related_name="work_items")
    pair = models.ForeignKey(ResponsePair, models.CASCADE, null=True, blank=True, related_name="work_items")
    template = models.ForeignKey(PromptTemplate, models.CASCADE, null=True, blank=True, related_name="work_items")
    variety = models.ForeignKey(LanguageVariety, models.PROTECT, related_name="+")
    note_set = models.PositiveIntegerField(default=0, db_default=0)  # its prompt's: each set is a queue of its own
    is_check = models.BooleanField(default=False, db_default=False)
    position = models.BigIntegerField()
    slots = models.PositiveSmallIntegerField()
    open_slots = models.PositiveSmallIntegerField()
    # It was opened to one more because somebody was unsure (workflow/remarks.py), which happens once.
    is_raised = models.BooleanField(default=False, db_default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["stage", "response", "is_check"], name="work_item_unique"),
            models.UniqueConstraint(fields=["stage", "prompt"], name="work_item_prompt_unique"),
            models.UniqueConstraint(fields=["stage", "pair", "is_check"], name="work_item_pair_unique"),
            models.UniqueConstraint(fields=["stage", "template", "variety"], name="work_item_template_unique"),
            models.CheckConstraint(condition=at_most_one_subject(), name="work_item_one_subject"),
            models.CheckConstraint(
                condition=Q(open_slots__gte=0) & Q(open_slots__lte=F("slots")), name="work_item_slots"
            ),
        ]
        indexes = [
            models.Index(
                fields=["stage", "variety", "note_set", "position"],
                condition=Q(open_slots__gt=0, is_check=False),
                name="work_item_queue",
            ),
            models.Index(fields=["stage", "position", "id"], condition=IN_A_LIST, name="work_item_in_order"),
        ]

    def __str__(self) -> str:
        return f"{self.stage}: {self.subject or self.pk}"

    @property
    def subject(self) -> Response | Prompt | ResponsePair | PromptTemplate | None:
        """What it is about."""
        return self.response or self.prompt or self.pair or self.template

    @property
    def first_words(self) -> str:
        """The beginning of the prompt or template it is about, on one line and in whole words; empty where it is about
        none yet."""
        if self.template is not None:
            asked = self.template.text
        else:
            about = self.response or self.pair
            prompt = about.prompt if about is not None else self.prompt
            asked = prompt.text if prompt is not None else ""
        words = " ".join(asked[: 4 * FIRST_WORDS].split())
        if len(words) <= FIRST_WORDS:
            return words
        return (words[: FIRST_WORDS + 1].rpartition(" ")[0] or words[:FIRST_WORDS]) + "…"

    @property
    def is_own_beginning(self) -> bool:
        """Begun by a rater as something of their own: nobody else can be given it."""
        return all(getattr(self, f"{subject}_id") is None for subject in SUBJECTS)


class Status(models.TextChoices):
    RESERVED = "reserved", _("Waiting")
    CLAIMED = "claimed", _("In progress")
    SUBMITTED = "submitted", _("Done")
    SKIPPED = "skipped", _("Skipped")
    RELEASED = "released", _("Given back")
    EXPIRED = "expired", _("Lease ran out")


# A slot of the item is taken in these; in the others it has gone back to the queue.
HOLDING = (Status.RESERVED, Status.CLAIMED, Status.SUBMITTED)


class Assignment(models.Model):
    """One rater's turn at one item. At most one per item, rater and round, ever: nobody gets an item twice."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    item = models.ForeignKey(WorkItem, models.CASCADE, related_name="assignments")
    stage = models.ForeignKey(Stage, models.CASCADE, related_name="assignments")
    rater = models.ForeignKey(Rater, models.PROTECT, related_name="assignments")
    round = models.PositiveSmallIntegerField(default=1)
    # The item's position where it came from the queue, empty where a lead handed it out. The latest one is where
    # the rater's next search begins, so that it costs the same after ten items and after ten thousand.
    queue_position = models.BigIntegerField(null=True, blank=True)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.CLAIMED)
    claimed_at = models.DateTimeField(null=True, blank=True)
    lease_expires_at = models.DateTimeField(null=True, blank=True)
    submitted_at = models.DateTimeField(null=True, blank=True)
    # Chosen by the browser once per submission and sent again with every retry: a resend changes nothing.
    submission = models.UUIDField(null=True, blank=True, unique=True)
    # The version its draft had when it was submitted. An answer taken back goes on above it, so that a tab left
    # open since can never mistake the new draft for the one it knew.
    submitted_version = models.PositiveIntegerField(default=0)
    skip_reason = models.CharField(max_length=40, blank=True)
    skip_note = models.TextField(blank=True)
    active_seconds = models.PositiveIntegerField(default=0)
    # The person says of their own answer that they are unsure of it.
    is_unsure = models.BooleanField(default=False, db_default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "rater", "round"], name="assignment_once"),
            models.CheckConstraint(condition=Q(status__in=Status.values), name="assignment_status_known"),
            models.CheckConstraint(
                condition=Q(status=Status.SUBMITTED, submitted_at__isnull=False)
                | (~Q(status=Status.SUBMITTED) & Q(submitted_at=None)),
                name="assignment_submitted_at",
            ),
            models.CheckConstraint(
                condition=~Q(status=Status.CLAIMED) | Q(lease_expires_at__isnull=False),
                name="assignment_claim_has_lease",
            ),
        ]
        indexes = [
            models.Index(fields=["rater", "stage", "status"], name="assignment_of_rater"),
            models.Index(
                fields=["rater", "stage", "id"],
                condition=Q(queue_position__isnull=False),
                name="assignment_latest_of_queue",
            ),
            # What a person did lately.
            models.Index(
                fields=["rater", "submitted_at"],
                condition=Q(submitted_at__isnull=False),
                name="assignment_submitted_lately",
            ),
            models.Index(fields=["lease_expires_at"], condition=Q(status=Status.CLAIMED), name="assignment_leases"),
        ]

    def __str__(self) -> str:
        return f"{self.rater}: {self.item_id}"

    @property
    def response(self) -> Response:
        """The response it is about; for kinds of work that are about responses alone."""
        response = self.item.response
        assert response is not None
        return response

    @property
    def pair(self) -> ResponsePair:
        """The pair it is about; for kinds of work that are about pairs alone."""
        pair = self.item.pair
        assert pair is not None
        return pair


class ReturnedAnswer(models.Model):
    """An answer that a lead sent back to who gave it, with a note about what to look at. It waits until they hand it in
    again, which raises `Assignment.submitted_version` above `version`."""

    assignment = models.ForeignKey(Assignment, models.CASCADE, related_name="returns")
    version = models.PositiveIntegerField()
    note = models.TextField(blank=True)
    returned_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["assignment", "version"], name="answer_returned_once")]

    def __str__(self) -> str:
        return f"{self.assignment_id}: {self.note[:40]}"


class FirstAnswer(models.Model):
    """An answer as it was first handed in, kept when it is taken back for the first time, by who gave it or by a lead.

    Figures of agreement count it: what was written in sight of a lead's note, or on second thoughts, is no independent
    judgement. Gold, and everything else, goes by the answer that stands. It never changes.

    body      in the shape of a draft body of its task type (`TaskType.stored`), as `TaskType.outlasting` leaves it.
    """

    assignment = models.OneToOneField(Assignment, models.CASCADE, related_name="first_answer")
    body = models.JSONField()
    submitted_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"first of {self.assignment_id}"


class NothingOpen(models.Model):
    """That nothing in a stage was open to a person when the clock last asked (workflow/telling_of_dates.py).

    `open_slots` is the least of answers that were open in the stage since: only where there are more is it asked again.
    """

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="+", db_index=False)
    rater = models.ForeignKey(Rater, models.CASCADE, related_name="+")
    open_slots = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["stage", "rater"], name="nothing_open_once")]

    def __str__(self) -> str:
        return f"{self.rater_id} in {self.stage_id}"


class QuestionState(models.TextChoices):
    OPEN = "open", _("open")
    ANSWERED = "answered", _("answered")
    CLOSED = "closed", pgettext_lazy("question", "closed")


class ItemQuestion(models.Model):
    """What a rater asks about an item or, without an assignment, in general; and what an expert or lead answers. What
    both write after that are its messages. An answer that is published joins the guidelines' log, where everybody
    reads it without the name of who asked; messages never do.

    It is open while the rater waits for words, and takes no more of them when it is closed.
    """

    project = models.ForeignKey(Project, models.CASCADE, related_name="item_questions")
    assignment = models.ForeignKey(Assignment, models.PROTECT, null=True, blank=True, related_name="questions")
    rater = models.ForeignKey(Rater, models.PROTECT, related_name="item_questions")
    # Chosen by the browser once per question and sent again with every retry: a resend asks nothing twice.
    key = models.UUIDField(default=uuid.uuid4, unique=True)
    text = models.TextField(_("question"))
    asked_at = models.DateTimeField(auto_now_add=True)
    answer = models.TextField(_("answer"), blank=True)
    answered_by = models.ForeignKey(Rater, models.PROTECT, null=True, blank=True, related_name="answered_questions")
    answered_at = models.DateTimeField(null=True, blank=True)
    is_published = models.BooleanField(_("stands in the guidelines' log"), default=False)
    # When the person who asked has seen the answer.
    seen_at = models.DateTimeField(null=True, blank=True)
    state = models.CharField(
        max_length=8, choices=QuestionState.choices, default=QuestionState.OPEN, db_default=QuestionState.OPEN
    )

    class Meta:
        ordering = ["-asked_at"]
        constraints = [
            models.CheckConstraint(condition=~Q(text=""), name="item_question_text_present"),
            models.CheckConstraint(
                condition=Q(answer="", answered_at=None, is_published=False)
                | (~Q(answer="") & Q(answered_at__isnull=False)),
                name="item_question_answered",
            ),
            models.CheckConstraint(condition=Q(state__in=QuestionState.values), name="item_question_state_known"),
        ]
        indexes = [models.Index(fields=["project", "answered_at"], name="item_question_open")]

    def __str__(self) -> str:
        return self.text[:60]


class QuestionMessage(models.Model):
    """What was written about a question after its first answer, by who asked or by who answers."""

    question = models.ForeignKey(ItemQuestion, models.CASCADE, related_name="messages")
    # Chosen by the browser once per message and sent again with every retry.
    key = models.UUIDField(default=uuid.uuid4, unique=True)
    is_answer = models.BooleanField()
    text = models.TextField()
    # Of answers, who wrote it, where they are a rater; of the others it is the question's rater.
    rater = models.ForeignKey(Rater, models.PROTECT, null=True, blank=True, related_name="question_messages")
    written_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        constraints = [models.CheckConstraint(condition=~Q(text=""), name="question_message_present")]

    def __str__(self) -> str:
        return self.text[:60]


class Survey(models.Model):
    """A few questions to raters after every batch of a stage's items.

    `questions` is a list of {"key", "text", "kind": "scale" | "choice" | "text", "choices": [...]}.
    """

    stage = models.OneToOneField(Stage, models.CASCADE, related_name="survey")
    batch_size = models.PositiveSmallIntegerField(_("items between two surveys"), default=50)
    questions = models.JSONField(default=list)
    is_open = models.BooleanField(default=True)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(batch_size__gte=1), name="survey_batch_positive")]

    def __str__(self) -> str:
        return f"survey of {self.stage_id}"


class SurveyAnswer(models.Model):
    """What one rater answered after one batch; `answers` holds {question key: value}, empty where they passed."""

    survey = models.ForeignKey(Survey, models.CASCADE, related_name="answers")
    rater = models.ForeignKey(Rater, models.PROTECT, related_name="survey_answers")
    batch = models.PositiveIntegerField()
    answers = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["survey", "rater", "batch"], name="survey_answered_once")]

    def __str__(self) -> str:
        return f"{self.rater_id}: batch {self.batch}"
