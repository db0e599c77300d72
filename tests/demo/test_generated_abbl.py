"""The generated benchmark is the same for the same seed, has no question twice, and gives every rule what it needs."""

from collections import Counter

from agreement.answers.question import question_score
from agreement.answers.rules import rule_named
from agreement.sizes import size_class
from benchmark.rule_map import shipped
from demo.studies import abbl
from demo.studies.abbl_answers import answers_of
from demo.studies.abbl_counts import CELLS, HELD_BACK, SOURCE_SIZES

# ABBL, table 5, in its order: 64 sources.
TABLE_5 = [70, 51, 24, 24, 24, 20, 19, 18, 17, 16, 15, 8, 6, 6, 6, 6, 6, 6, 5, 5, 5, 4]
TABLE_5 += [3] * 25 + [2] * 17


def test_the_same_seed_makes_the_same_questions_and_answers():
    first, second = abbl.questions(), abbl.questions()
    assert first == second
    assert answers_of(abbl.MODELS[0], first) == answers_of(abbl.MODELS[0], second)
    assert abbl.questions(7) != first


def test_no_question_stands_twice_and_each_says_that_it_was_generated():
    asked = abbl.questions()
    assert len(asked) == 470
    assert len({each.key for each in asked}) == 470
    texts = {(each.line["instruction"], each.line.get("input"), str(each.labels)) for each in asked}
    assert len(texts) == 470
    assert all(each.line["metadata"]["generated"] for each in asked)
    assert all(each.line["source"].startswith("Generated: ") for each in asked)


def test_sources_have_the_sizes_of_table_5():
    assert sum(TABLE_5) == 470
    assert TABLE_5 == SOURCE_SIZES
    sizes = Counter(source for cell in CELLS for source, count in cell.sources for _ in range(count))
    assert sorted(sizes.values(), reverse=True) == TABLE_5


def test_a_choice_has_its_reference_among_its_options_in_several_letterings():
    choices = [each for each in abbl.questions() if each.labels]
    assert len(choices) == 218
    for each in choices:
        label, _, text = each.line["output"].partition(". ")
        assert each.labels[label] == text, each.key
        assert len(set(each.labels.values())) == len(each.labels), each.key
    assert {"".join(each.labels)[:2] for each in choices} == {"أب", "AB", "12", "ab"}
    # The right one is not always in the same place.
    places = Counter(list(each.labels).index(each.line["output"].partition(".")[0]) for each in choices)
    assert max(places.values()) < len(choices) / 2


def test_held_back_questions_are_twins_of_public_ones_of_their_kind():
    by_key = {each.key: each for each in abbl.questions()}
    held_back = [each for each in by_key.values() if each.line.get("held_back")]
    assert Counter(each.kind for each in held_back) == HELD_BACK
    for each in held_back:
        public = by_key[each.line["twin_of"]]
        assert not public.line.get("held_back")
        assert (public.kind, public.hardness) == (each.kind, each.hardness)


def test_the_rules_of_a_skill_and_format_are_those_of_the_rule_map_and_more():
    """What a cell adds to the map is said in docs/benchmark.md; only a line to be copied is left to its rule alone."""
    for cell in CELLS:
        mapped = [use.rule for use in shipped().rules_of(cell.skill, cell.format)]
        if cell.kind in ("needle", "to_english"):
            continue
        assert set(mapped) <= set(cell.rules), cell


def test_every_reference_is_worth_10_by_its_own_computed_rules():
    """A question whose reference does not win cannot be won."""
    from agreement.answers.declaration import Target

    for each in abbl.questions():
        target = Target(each.line["output"], each.line.get("input", ""), each.line.get("language") or "")
        for use in each.line["rules"]:
            rule = rule_named(use["rule"])
            if not rule.is_judged:
                score = rule.scorer(
                    target, rule.read(use["parameters"]) if hasattr(rule, "read") else use["parameters"]
                )
                found = score(each.line["output"])
                assert question_score({rule.name: found.value}).value == 10, (each.key, rule.name, found)


def test_eight_models_of_four_classes_and_one_that_does_not_say():
    sizes = Counter(size_class(model.parameters[0] if model.parameters else None) for model in abbl.MODELS)
    assert sizes == {"nano": 2, "small": 2, "medium": 2, "large": 2, "undisclosed": 1}


def test_models_answer_in_all_the_ways_that_rules_are_for():
    asked = abbl.questions()
    given = {model.slug: answers_of(model, asked) for model in abbl.MODELS}
    everything = [(slug, answer) for slug, of_model in given.items() for answer in of_model.values()]
    assert any(not answer.text for _slug, answer in everything)
    assert any(answer.is_cut for _slug, answer in everything)
    assert any(answer.is_refusal for _slug, answer in everything)
    assert any(not answer.in_dialect for _slug, answer in everything)
    assert sum(answer.text.startswith("<think>") for answer in given["qamar-8b"].values()) > 400
    assert sum(bool(answer.reasoning) for answer in given["anqa-xl"].values()) > 400
    # Abler models are better by meaning; the last one lists all options instead of choosing.
    means = {slug: sum(answer.quality for answer in of_model.values()) / 470 for slug, of_model in given.items()}
    by_ability = sorted(abbl.MODELS[:8], key=lambda model: model.ability)
    assert means[by_ability[0].slug] + 2 < means[by_ability[3].slug] < means[by_ability[-1].slug] - 1
