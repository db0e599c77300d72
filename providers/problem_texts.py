"""What went wrong with a call, in words: `Call.problem` holds a code, and after a colon what was said of it."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

# What ends a sentence in the languages of the pages, and in those in which providers write.
STOPS = (".", "!", "?", "…", "。", "؟", "।")

TEXTS = {
    "own_laboratory": gettext_lazy("The response comes from the judge's own laboratory; it was not asked."),
    "laboratory_unknown": gettext_lazy("Nobody knows which laboratory is behind the model; it was not asked."),
    "key_missing": gettext_lazy("The provider's key is not set where the workers run."),
    "worker_lost": gettext_lazy("The workers were lost again and again; ask once more."),
    "submission_budget": gettext_lazy(
        "What submissions of its month may cost is spent or set aside; it was not asked."
    ),
    "submission_held": gettext_lazy(
        "Other submissions hold the rest of what its month may cost; it is asked once they have ended."
    ),
    "submission_unpriced": gettext_lazy(
        "Money is limited for submissions, and the judge has no price; it was not asked."
    ),
    "other_model": gettext_lazy("Another model answered than the one that was asked."),
    "timeout": gettext_lazy("No answer came in time."),
    "connection": gettext_lazy("The provider could not be reached."),
    "list_empty": gettext_lazy("The provider's list names no models."),
    "redirect": gettext_lazy("The provider points to another address; keys are sent to the one set up here alone."),
    "deadline": gettext_lazy("No answer came within the time that a call may take with all its attempts."),
    "unaffordable": gettext_lazy("An attempt broke off that may be charged, and the budget did not allow another."),
    "provider_down": gettext_lazy("The provider has not answered for some minutes; ask again later."),
    "client": gettext_lazy("The reply could not be read as HTTP."),
    "body_not_json": gettext_lazy("The provider did not send JSON."),
    "error_body": gettext_lazy("The provider sent an error in place of an answer."),
    "no_choice": gettext_lazy("The provider sent no answer."),
    "no_message": gettext_lazy("The provider sent no answer."),
    "content_filter": gettext_lazy("The provider's content filter held the answer back."),
    "refusal": gettext_lazy("The judge declined to answer."),
    "declined": gettext_lazy("The model declined to answer."),
    "tool_asked": gettext_lazy("The model asked for a tool and said nothing."),
    "response_exists": gettext_lazy("The prompt had a response of this model by then; the first one stands."),
    "length": gettext_lazy("The answer reached the limit of its length."),
    "cut": gettext_lazy("The answer breaks off or does not close what it opens."),
    "thinking_not_ended": gettext_lazy("The answer breaks off while thinking."),
    "tool_call": gettext_lazy("The judge asked for a tool that there is not."),
    "too_long": gettext_lazy("The answer, or a part of it, is too long."),
    "empty": gettext_lazy("The answer is empty."),
    "prose": gettext_lazy("The answer holds no JSON."),
    "reply_too_complex": gettext_lazy("The answer is too long or too entangled to be mended; nothing of it was read."),
    "body_too_long": gettext_lazy("The provider sent more than an answer can be; the rest was not received."),
    "several_objects": gettext_lazy("The answer holds several objects; which of them counts cannot be known."),
    "duplicate_key": gettext_lazy("The answer says one thing twice."),
    "not_json": gettext_lazy("The answer is not JSON, and mending would mean guessing."),
    "null": gettext_lazy("The answer is null."),
    "not_an_object": gettext_lazy("The answer is not an object."),
    "unstorable_characters": gettext_lazy("The answer holds characters that are none."),
    "wrong_keys": gettext_lazy("The answer has other fields than were asked for."),
    "wrong_ticket": gettext_lazy("The answer does not carry the number of this call."),
    "wrong_type": gettext_lazy("A field of the answer has another type than was asked for."),
    "unknown_value": gettext_lazy("A field of the answer holds something that was no choice."),
    "unknown_error": gettext_lazy("The answer names an error by a number that none has."),
    "error_twice": gettext_lazy("The answer puts an error into two issues."),
    "error_left_out": gettext_lazy("The answer leaves an error out."),
    "issue_without_errors": gettext_lazy("The answer names an issue without errors."),
    "category_does_not_fit": gettext_lazy("The answer names a category without an error, or an error without one."),
    "answer_in_text": gettext_lazy("A text that was to be shown holds what would be an answer; nothing was asked."),
    "not_validated": gettext_lazy("No native speaker has looked at this prompt; it was not asked."),
    "several_answers": gettext_lazy("The answer holds more than one answer in tags or brackets."),
    "no_answer_in_tags": gettext_lazy("The answer has no whole pair of answer tags."),
    "no_answer_in_brackets": gettext_lazy("The answer has no whole pair of double brackets."),
    "not_numbers": gettext_lazy("The answer is not a list of whole numbers."),
    "not_objects": gettext_lazy("The answer is not a list of errors."),
    "not_a_list": gettext_lazy("The answer is not a list."),
    "unknown_form": gettext_lazy("Judges of this kind have no answers of this form."),
    "marks_in_text": gettext_lazy("The text that came holds the marks it was shown between."),
    "reason_missing": gettext_lazy("The answer gives no reason."),
    "error_gone": gettext_lazy("An error that was to be asked about is no longer there; nothing was asked."),
    "example_gone": gettext_lazy("An example that was to be shown is no longer there; nothing was asked."),
    "criterion_gone": gettext_lazy("A criterion that was to be asked about is no longer there; nothing was asked."),
    "criteria_changed": gettext_lazy("The criteria changed while they were asked about, so the answer counts nowhere."),
    "unknown_criterion": gettext_lazy("The answer names a criterion that there is not."),
    "criterion_twice": gettext_lazy("The answer gives a criterion two verdicts."),
    "criterion_left_out": gettext_lazy("The answer leaves a criterion out."),
    "verdict_of_other_sort": gettext_lazy("The answer gives a criterion a verdict that belongs to the other sort."),
    "justification_missing": gettext_lazy("The answer gives a verdict without its reason."),
    "off_the_scale": gettext_lazy("The answer gives a grade that is not on the scale."),
    "rated_gone": gettext_lazy("Something that was to be asked about is no longer there; nothing was asked."),
    "quote_without_place": gettext_lazy("The quoted words have no certain place in the text."),
    "quote_elsewhere": gettext_lazy("The quoted words lie elsewhere than the error."),
    "explanation_missing": gettext_lazy("An error is not explained."),
    "quote_does_not_fit_anchor": gettext_lazy("An error has a quote where none belongs, or none where one does."),
}


def in_words(problem: str) -> str:
    """The problem as a sentence, with what the provider said of it."""
    if not problem:
        return ""
    code, _colon, detail = problem.partition(": ")
    if code.startswith("http_"):
        text = _("The provider refused the request (HTTP %(status)s).") % {"status": code.removeprefix("http_")}
    else:
        text = str(TEXTS.get(code, code))
    return f"{text} {detail}" if detail else text


def in_sentences(problem: str) -> str:
    """As `in_words`, ended by a stop, for other sentences follow; most providers end theirs with none."""
    words = in_words(problem).rstrip()
    return words if words.endswith(STOPS) else f"{words}."
