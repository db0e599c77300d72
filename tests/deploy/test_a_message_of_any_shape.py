"""Whatever lies in the folder of messages, reading it gives a message that a worker can take, or puts it aside."""

import base64
import json
import os
import threading
from pathlib import Path
from queue import Empty

import pytest
from celery.worker.request import Request
from hypothesis import given, settings
from hypothesis import strategies as st
from kombu import Connection, Exchange, Queue
from kombu.transport.virtual import Message

from config.broker import envelopes
from config.broker.envelopes import PUT_ASIDE, Unreadable
from config.broker.folder import content_of
from config.celery import app
from workflow.tasks import sweep_leases

NAME = sweep_leases.name
WAKE_UP = Queue("wakeups", Exchange("wakeups"), routing_key="wakeups")

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=8,
)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "broker"


@pytest.fixture
def channel(folder):
    """The channel of a process that reads messages."""
    with connect(folder) as connection:
        yield connection.channel()


def connect(folder: Path) -> Connection:
    options = {"folder": str(folder), "polling_interval": 0.01}
    return Connection("folder://localhost/", transport="config.broker.folder.Transport", transport_options=options)


def send(folder: Path, *numbers: int) -> None:
    with connect(folder) as connection, app.amqp.Producer(connection) as producer:
        for number in numbers:
            app.send_task(NAME, [number], producer=producer, queue=WAKE_UP, expires=600)


def a_message(tmp_path: Path) -> dict:
    """What Celery itself writes for a task, as it lies in the folder."""
    send(tmp_path / "one", 7)
    (file,) = (tmp_path / "one").glob("*.wakeups.msg")
    return json.loads(file.read_bytes())


@pytest.fixture
def written(tmp_path):
    return a_message(tmp_path)


def take(message: dict, channel) -> None:
    """What a worker makes of a message before a task begins."""
    request = Request(Message(message, channel=channel), app=app, task=app.tasks[NAME])
    request.revoked()
    assert request.args is not None


# --- One message --------------------------------------------------------------------------------------------


def test_what_celery_writes_is_read_whole(written, channel):
    read = envelopes.read(json.dumps(written).encode(), app.tasks)
    # A header that a new version of Celery adds is named here, and then in config/broker/envelopes.py.
    assert read == written
    take(read, channel)


BROKEN = {
    "empty": b"",
    "blank": b" \n",
    "half a JSON": b'{"body": "W1tdLCB7fSwg',
    "binary": bytes(range(256)),
    "a number": b"7",
    "nothing": b"null",
    "a list": b"[[], {}, {}]",
    "no envelope": b'{"hello": "world"}',
    "deep": b"[" * 100_000,
    "long": b'"' + b"x" * 2_000_000 + b'"',
}


@pytest.mark.parametrize("payload", BROKEN.values(), ids=BROKEN)
def test_what_is_no_message_is_refused(payload):
    with pytest.raises(Unreadable):
        envelopes.read(payload, app.tasks)


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


CHANGES = {
    "an unknown task": lambda message: message["headers"].update(task="nobody.knows.it"),
    "no task": lambda message: message["headers"].pop("task"),
    "no id": lambda message: message["headers"].pop("id"),
    "no headers": lambda message: message.pop("headers"),
    "no tag": lambda message: message["properties"].pop("delivery_tag"),
    "no delivery": lambda message: message["properties"].pop("delivery_info"),
    "no route": lambda message: message["properties"]["delivery_info"].pop("routing_key"),
    "no body": lambda message: message.pop("body"),
    "a body that is not base64": lambda message: message.update(body="%%%"),
    "a body that is not JSON": lambda message: message.update(body=base64.b64encode(b"\x80\x04K").decode()),
    "a body without arguments": lambda message: message.update(body=base64.b64encode(b"[7]").decode()),
    "callbacks in its body": lambda message: message.update(body=encoded('[[7], {}, {"errbacks": ["x"]}]')),
    "another encoding": lambda message: message["properties"].update(body_encoding="rot13"),
    "pickle": lambda message: message.update({"content-type": "application/x-python-serialize"}),
    "time limits of one": lambda message: message["headers"].update(timelimit=[1]),
    "a compression": lambda message: message["headers"].update(compression="application/x-bz2"),
    "a time that is none": lambda message: message["headers"].update(expires={}),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_message_with_one_part_wrong_is_refused(written, change):
    change(written)
    with pytest.raises(Unreadable):
        envelopes.read(json.dumps(written).encode(), app.tasks)


@settings(deadline=None)
@given(payload=st.binary(max_size=200) | json_values.map(lambda value: json.dumps(value).encode()))
def test_any_bytes_are_refused(payload):
    with pytest.raises(Unreadable):
        envelopes.read(payload, app.tasks)


@settings(max_examples=400, deadline=None)
@given(data=st.data())
def test_a_message_changed_anywhere_is_refused_or_can_be_taken(tmp_path_factory, data):
    message = json.loads(MESSAGE or remember(a_message(tmp_path_factory.mktemp("any"))))
    for _ in range(data.draw(st.integers(1, 3))):
        parts = [message, message.get("headers"), message.get("properties")]
        holder = data.draw(st.sampled_from([part for part in parts if isinstance(part, dict)]))
        key = data.draw(st.sampled_from(sorted(holder)) if holder else st.text(max_size=5))
        if data.draw(st.booleans()):
            holder.pop(key, None)
        else:
            holder[key] = data.draw(json_values)
    try:
        read = envelopes.read(json.dumps(message).encode(), app.tasks)
    except Unreadable:
        return
    take(read, CODEC)


class CODEC:
    """The part of a channel that a message asks: how its body was encoded."""

    no_ack_consumers = None

    @staticmethod
    def decode_body(body, encoding=None):
        return base64.b64decode(body)


MESSAGE = ""


def remember(message: dict) -> str:
    global MESSAGE
    MESSAGE = json.dumps(message)
    return MESSAGE


# --- The folder ---------------------------------------------------------------------------------------------


def drain(channel, queue: str = "wakeups") -> list[int]:
    """The argument of each message that comes, until none does."""
    arguments: list[int] = []
    while True:
        try:
            message = channel._get(queue)
        except Empty:
            return arguments
        arguments.append(json.loads(base64.b64decode(message["body"]))[0][0])


def drop_everything_odd(folder: Path) -> int:
    """Things that can lie in a folder. Returns how many of them have the name of a message."""
    for n, payload in enumerate(BROKEN.values()):
        (folder / f"0{n}_x.wakeups.msg").write_bytes(payload)
    (folder / "1_directory.wakeups.msg").mkdir()
    (folder / "1_full.wakeups.msg").mkdir()
    (folder / "1_full.wakeups.msg" / "inner.wakeups.msg").write_bytes(b"{}")
    (folder / "2_link.wakeups.msg").symlink_to("/etc/passwd")
    (folder / "2_nowhere.wakeups.msg").symlink_to(folder / "nothing")
    os.mkfifo(folder / "3_pipe.wakeups.msg")
    (folder / "4_secret.wakeups.msg").write_bytes(b"{}")
    (folder / "4_secret.wakeups.msg").chmod(0)
    with (folder / "5_huge.wakeups.msg").open("wb") as huge:
        huge.truncate(50_000_000)
    for name in ("control", "wakeups.msg", ".wakeups.msg", "notes.txt", ".9_x.wakeups.msg.part"):
        (folder / name).write_bytes(b"{")
    (folder / "celery.exchange").mkdir()
    return len(BROKEN) + 7


def test_odd_things_are_put_aside_once_and_the_messages_come(folder, channel, caplog):
    send(folder, 1, 2)
    count = drop_everything_odd(folder)
    send(folder, 3)
    assert drain(channel) == [1, 2, 3]
    lines = [record.getMessage() for record in caplog.records if "cannot be read" in record.getMessage()]
    assert len(lines) == count
    assert len(list((folder / "unreadable").iterdir())) == count
    assert sum(path.lstat().st_size for path in (folder / "unreadable").iterdir()) < 1_000_000
    caplog.clear()
    assert drain(channel) == []
    assert not caplog.records


def test_the_newest_hundred_are_kept(folder, channel):
    send(folder)
    folder.mkdir(exist_ok=True)
    for n in range(PUT_ASIDE + 20):
        (folder / f"{n:03}_x.wakeups.msg").write_bytes(b"half")
    (folder / "000_directory.wakeups.msg").mkdir()
    assert drain(channel) == []
    names = sorted(os.listdir(folder / "unreadable"))
    assert len(names) == PUT_ASIDE
    assert names[-1].endswith("_119_x.wakeups.msg")


@pytest.mark.parametrize("in_the_way", [True, False], ids=["a file in the place of unreadable", "no folder at all"])
def test_a_folder_in_disorder(folder, channel, in_the_way):
    if in_the_way:
        folder.mkdir()
        (folder / "unreadable").write_bytes(b"in the way")
        (folder / "1_x.wakeups.msg").write_bytes(b"half")
    assert drain(channel) == []
    send(folder, 5)
    assert drain(channel) == [5]
    assert not list(folder.glob("*.wakeups.msg"))


def test_each_message_is_taken_once_while_others_write(folder):
    total, taken = 600, []
    ended = threading.Event()

    def read() -> None:
        with connect(folder) as connection:
            reader = connection.channel()
            while not ended.is_set() or list(folder.glob("*.wakeups.msg")):
                taken.extend(drain(reader))

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for start in range(0, total, 50):
        send(folder, *range(start, start + 50))
    ended.set()
    for reader in readers:
        reader.join(30)
    assert sorted(taken) == list(range(total))
    assert not (folder / "unreadable").exists()


def test_a_message_given_back_comes_again(folder):
    """A worker that ends gives back what it has taken and not done."""
    send(folder, 9)
    with connect(folder) as connection:
        consumer = connection.channel()
        WAKE_UP(consumer).declare()
        assert consumer.basic_get("wakeups").payload[0] == [9]
    with connect(folder) as connection:
        assert drain(connection.channel()) == [9]


def test_what_a_worker_stumbles_over_all_the_same_is_put_aside(folder, caplog):
    """A message that fits in every part, but not whoever takes it: its place among those taken is free again."""
    send(folder, 1, 2)
    taken = []

    def stumble(body, message):
        taken.append(body[0][0])
        raise KeyError("never thought of")

    with connect(folder) as connection, connection.Consumer(WAKE_UP, callbacks=[stumble], prefetch_count=1):
        connection.drain_events(timeout=5)
        connection.drain_events(timeout=5)
    assert taken == [1, 2]
    assert len(list((folder / "unreadable").iterdir())) == 2
    assert not list(folder.glob("*.wakeups.msg")), "it was not given back, to be stumbled over again"


def test_a_folder_in_the_place_of_a_message_costs_no_open_file(tmp_path):
    """Each of them was looked into once, by a process that runs for months."""
    open_before = os.listdir("/proc/self/fd")
    for _time in range(5):
        with pytest.raises(Unreadable, match="it is no file"):
            content_of(tmp_path)
    assert len(os.listdir("/proc/self/fd")) == len(open_before)
