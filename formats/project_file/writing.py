"""Writing data as YAML: the same data give the same bytes, and reading them gives the same data."""

from io import StringIO
from typing import Any

import yaml

# Small records stand on one line, texts are folded at about this many characters.
WIDTH = 110
ON_ONE_LINE = 90


def write_yaml(value: dict[str, Any]) -> bytes:
    """The data as YAML in UTF-8, keys in their order; numbers are finite."""
    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    text = yaml.serialize(_node(value), Dumper=dumper, allow_unicode=True, width=WIDTH, encoding=None)
    return str(text).encode()


def _node(value: Any, *, is_whole_file: bool = True) -> yaml.Node:
    if isinstance(value, dict):
        is_flow = not is_whole_file and _is_short(value.values(), sum(map(len, value)) + 4 * len(value))
        pairs = [(_scalar(key), _node(inner, is_whole_file=False)) for key, inner in value.items()]
        return yaml.MappingNode("tag:yaml.org,2002:map", pairs, flow_style=is_flow)
    if isinstance(value, list):
        items = [_node(inner, is_whole_file=False) for inner in value]
        return yaml.SequenceNode("tag:yaml.org,2002:seq", items, flow_style=_is_short(value, 2 * len(value)))
    return _scalar(value)


def _is_short(values: Any, beside: int) -> bool:
    """Whether these are plain values that fit on a line with what stands beside them."""
    values = list(values)
    if any(isinstance(value, dict | list) and value for value in values):
        return False
    return beside + sum(len(str(value)) for value in values) <= ON_ONE_LINE and "\n" not in "".join(map(str, values))


def _scalar(value: Any) -> yaml.ScalarNode:
    node = yaml.SafeDumper(StringIO()).represent_data(value)
    assert isinstance(node, yaml.ScalarNode)
    if isinstance(value, str) and "\n" in value:
        node.style = "|"
    return node
