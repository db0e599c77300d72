"""Scoring by a reference: a judge gives an answer of a benchmark 0 to 10 by one judged rule of its question."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agreement.answers.rules import rules
from benchmark.judged import open_uses, score_unscored, store_scores
from benchmark.models import Answer, ConfigurationKind, RuleScore, RuleUse
from judging.kinds import (
    About,
    AnswersByResponse,
    JudgeKind,
    Material,
    Pass,
    ShownReference,
    Unit,
    UnitAnswer,
    Units,
    WrongAnswer,
)
from judging.kinds.explained import EXPLAINED
from judging.kinds.forms import check_field, check_keys, check_ticket, closed
from judging.kinds.ratings import check_grade, flat
from judging.kinds.reference.anchors import anchors_to_judge
from judging.kinds.reference.shown import Asked, Thinking, subjects, unit_of
from judging.models import ANSWERED, Judge
from judging.prompts import PromptText, chat, fill, templates_of
from projects.among import Among
from projects.models import Rater

VERSION = "v1"
TEXT = {"type": "string"}
#: Whole points. A repeat of the same judge moves by more than half a point, and a list of whole numbers is what every
#: provider's structured output can hold an answer to. A choice is the reference's or it is not.
POINTS = {"judge_choice": (0, 10)}
ALL_POINTS = tuple(range(11))


def schema_of(rule: str) -> dict[str, Any]:
    # The reason stands before the score, so that the score follows from it.
    score = {"type": "integer", "enum": list(POINTS.get(rule, ALL_POINTS))}
    return closed({"ticket": TEXT, "reason": TEXT, "score": score})


def judged_rules() -> list[str]:
    return [name for name, rule in rules().items() if rule.is_judged]


class ReferenceScoring(JudgeKind):
    """One call for each judged use of a rule that nothing else decides (benchmark/judged.py)."""

    kind = "reference"
    can_be_evaluated = False
    is_usual = True
    options = (EXPLAINED,)
    name = gettext_lazy("Scores answers by a reference")
    idle = gettext_lazy(
        "No answer waits for this judge. It is asked by the judged rules of frozen question sets, where no fixed rule "
        "decides and no choice could be read, and only where another laboratory wrote the answer."
    )
    not_ready = gettext_lazy("responses that answer no question of a frozen set")
    gone = "question_gone"

    def prompt_text(self, judge: Judge) -> PromptText:
        """With the wording and the form of every judged rule, under its name."""
        templates = templates_of(judge, self.kind, VERSION)
        parts = {part: templates[part] for part in ("system", "question", "passage", "options", *judged_rules())}
        parts |= {"phrase_any_language": templates.phrase("any_language"), **templates.explained}
        return PromptText(self.kind, templates.version, parts, {rule: schema_of(rule) for rule in judged_rules()})

    def units(self, over: Pass, texts: Mapping[int, str]) -> Units:
        """One for each use that is open. Anchor answers are asked about beside others alone."""
        rows = Answer.objects.filter(response__in=Among(texts), configuration__project=over.judge.project_id)
        responses = dict(rows.exclude(configuration__kind=ConfigurationKind.ANCHOR).values_list("pk", "response_id"))
        asked = open_uses(responses, Rater(pk=over.judge.rater_id), over.round)
        given = RuleScore.objects.filter(
            rater=over.judge.rater_id, round=over.round, answer__in=Among(responses)
        ).count()
        others = len(texts) - rows.count()
        return Units(
            {responses[answer]: [unit_of(use, answer) for use in uses] for answer, uses in asked.items()},
            not_ready=others,
            reasons={_("answers to no question of a frozen set"): others} if others else {},
            answered=given,
        )

    def beside(self, over: Pass) -> Mapping[int, Sequence[Unit]]:
        """All anchor answers once more (anchors.py)."""
        return anchors_to_judge(over)

    def asks_anew(self, about: Sequence[About]) -> bool:
        """An anchor: whether the judge says the same again is what is looked for."""
        return Asked.of(about).anchor_pass is not None

    def subjects(self, ids: Collection[Any]) -> Mapping[Any, Any]:
        return subjects(ids)

    def material(self, bare: Material, subjects: Sequence[Any], target: str, prompt: PromptText) -> Material:
        """The answer is shown without its thinking, as every rule scores it."""
        reference = next((subject for subject in subjects if isinstance(subject, ShownReference)), None)
        thinking = next((subject for subject in subjects if isinstance(subject, Thinking)), None)
        response = thinking.taken_off(bare.response) if thinking else bare.response
        return replace(bare, reference=reference, response=response)

    def schema(self, prompt: PromptText, material: Material) -> dict[str, Any]:
        assert material.reference is not None
        return prompt.schema[material.reference.rule]

    def messages(self, prompt: PromptText, material: Material, unit: int, nonce: str) -> list[dict[str, str]]:
        shown, parts = material.reference, prompt.parts
        assert shown is not None
        fixed = {
            **prompt.languages(material.language),
            "rule": parts[shown.rule].strip("\n"),
            "language": shown.language or prompt.phrase("any_language"),
        }
        passage = fill(parts["passage"], {"nonce": nonce, "passage": shown.passage}) if shown.passage else ""
        options = fill(parts["options"], {"nonce": nonce, "options": shown.options}) if shown.options else ""
        asked = {
            "nonce": nonce,
            "prompt": material.prompt,
            "beside": passage + options,
            "reference": shown.reference,
            "response": material.response,
        }
        return chat(fill(parts["system"], fixed), fill(parts["question"], asked))

    def read(
        self, value: Mapping[str, Any], prompt: PromptText, material: Material, unit: int, nonce: str
    ) -> dict[str, Any]:
        form = self.schema(prompt, material)["properties"]
        check_keys(value, form)
        check_ticket(value, nonce)
        check_field("reason", value["reason"], form["reason"])
        reason = value["reason"].strip()
        if not reason:
            raise WrongAnswer("reason_missing")
        return {"reason": reason, "score": check_grade("score", value["score"], form["score"])}

    def store(self, judge: Judge, round: int, answered: AnswersByResponse, metadata: dict) -> int:
        """A score for every answer that was read; one that is there already stays. What the rules that ask nobody say
        of the same answers is stored with it, as far as nobody has asked them yet."""
        score_unscored(answered)
        scored = list(scores_in(answered))
        targets = targets_of(asked.use for _answer, asked in scored)
        rows = []
        for answer, asked in scored:
            if asked.use in targets and answer.parsed is not None:
                rows.append(
                    RuleScore(
                        answer_id=asked.answer,
                        target_sha256=targets[asked.use],
                        rater_id=judge.rater_id,
                        round=asked.anchor_pass or round,
                        value=float(answer.parsed["score"]),
                        detail={"reason": answer.parsed["reason"]},
                        metadata=metadata,
                    )
                )
        return store_scores(rows)

    def held(self, judge: Judge, round: int, prompt: str, answered: AnswersByResponse) -> set[tuple[int, int]]:
        """None: figures are computed from scores as they are, and nobody works on them."""
        return set()

    def take_back(self, judge: Judge, round: int, prompt: str, answered: AnswersByResponse) -> None:
        asked = [Asked.of(answer.about) for _response, answer in flat(answered)]
        targets = targets_of(each.use for each in asked)
        keys = {(each.answer, targets.get(each.use), each.anchor_pass or round) for each in asked}
        of_judge = RuleScore.objects.filter(
            rater=judge.rater_id, answer__in=Among(each.answer for each in asked), metadata__prompt=prompt
        )
        rows = of_judge.values_list("pk", "answer_id", "target_sha256", "round")
        RuleScore.objects.filter(pk__in=Among(pk for pk, *key in rows if tuple(key) in keys)).delete()


class Scored(NamedTuple):
    answer: UnitAnswer
    asked: Asked


def scores_in(answered: AnswersByResponse) -> Iterator[Scored]:
    """The answers from which a score was read, each with what it is about."""
    for _response, answer in flat(answered):
        if answer.state in ANSWERED and answer.parsed is not None:
            yield Scored(answer, Asked.of(answer.about))


def targets_of(uses: Iterable[int]) -> dict[int, str]:
    """By use of a rule what its scores are stored under. One statement."""
    return dict(RuleUse.objects.filter(pk__in=Among(uses)).values_list("pk", "target_sha256"))
