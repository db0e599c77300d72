"""Messages that nobody can read: empty, half, binary, of another kind, endless."""

BROKEN = [
    b"",
    b"\n",
    b'{"body": "W1tdLCB7fSwg',
    bytes(range(256)),
    b"null",
    b"[1, 2, 3]",
    b'{"hello": "world"}',
    b'{"body": "", "headers": {}, "properties": {"delivery_tag": "x"}}',
    b"[" * 50_000,
    b'"' + b"x" * 2_000_000 + b'"',
]
