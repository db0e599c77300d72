"""The rules a question can name, one file each. A file in this folder that holds RULE is a rule."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from agreement.answers.declaration import Rule


@cache
def rules() -> dict[str, Rule]:
    """All rules by name, in the order of names. Raises ValueError where two have one name."""
    by_name: dict[str, Rule] = {}
    for module in sorted(iter_modules(__path__), key=lambda entry: entry.name):
        rule: Rule = import_module(f"{__name__}.{module.name}").RULE
        if rule.name in by_name:
            raise ValueError(f"two rules are named {rule.name}")
        by_name[rule.name] = rule
    return by_name


def rule_named(name: str) -> Rule:
    """Raises ValueError for a name no rule has."""
    try:
        return rules()[name]
    except KeyError:
        raise ValueError(f"no scoring rule is named {name!r}") from None
