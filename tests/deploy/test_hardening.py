"""Containers and units hold nothing that a web application does not need; Redis asks for a password."""

import configparser
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from django.conf import settings

from tests import servers

ROOT = Path(__file__).resolve().parents[2]
COMPOSE = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text())
SERVICES = COMPOSE["services"]
UNITS = sorted((ROOT / "deploy" / "systemd").glob("*.service"))
DROP_IN = ROOT / "deploy" / "systemd" / "mizan-.service.d" / "hardening.conf"


# --- Containers -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SERVICES)
def test_a_container_writes_nowhere_else_and_holds_no_capability(name):
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in service["security_opt"]
    assert service.get("privileged", False) is False
    assert any(mount.startswith("/tmp") for mount in service["tmpfs"])
    # Only the proxy listens below 1024, and is root without a root's powers, for its certificates.
    assert service.get("cap_add", []) == (["NET_BIND_SERVICE"] if name == "proxy" else [])
    assert name == "proxy" or service["user"] not in ("root", "0", 0)
    assert "ports" not in service or name == "proxy"


@pytest.mark.parametrize(("variables", "places"), [({}, 18), ({"WORKER_SLOTS": "2"}, 10), ({"DATABASE_POOL": "5"}, 5)])
def test_a_worker_has_connections_for_all_that_it_does_at_once(variables, places):
    """Each of its jobs holds one, an import a second one, and the process beats and looks for what waits."""
    assert most_connections("", variables) == places


@pytest.mark.parametrize(
    ("variables", "places"),
    [({}, 18), ({"WEB_THREADS": "16"}, 34), ({"WORKER_SLOTS": "2"}, 18), ({"DATABASE_POOL": "5"}, 5)],
)
def test_the_web_server_has_connections_for_a_small_import_in_each_of_its_threads(variables, places):
    """An import has one of its own beside that of its request."""
    assert most_connections("import runpy; runpy.run_path('deploy/gunicorn_conf.py'); ", variables) == places


def test_the_containers_database_takes_all_the_connections_that_they_may_open():
    most = int(SERVICES["postgres"]["command"].split("max_connections=")[1])
    processes = int(SERVICES["web"]["environment"]["WEB_WORKERS"].split(":-")[1].rstrip("}"))
    for service in SERVICES.values():
        words = str(service.get("command", "")).replace("${WORKER_PROCESSES:-2}", "2").split()
        if "--queues" in words:  # the process that forks the others beats as well
            processes += 1 + int(words[words.index("--concurrency") + 1] if "--concurrency" in words else 0)
    assert processes * most_connections("", {}) < most - 10, "an administrator, a backup and the migrations come too"


def most_connections(first: str, variables: dict[str, str]) -> int:
    """Those that a process may open."""
    code = f"{first}from config import settings; print(settings.DATABASE['OPTIONS']['pool']['max_size'])"
    shown = subprocess.run(
        [sys.executable, "-c", code],
        env={"DATABASE_URL": "postgres://mizan@127.0.0.1/mizan", "SECRET_KEY": "x", **variables},
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return int(shown.stdout)


def test_the_image_itself_runs_as_nobody_in_particular():
    users = re.findall(r"^USER (\S+)", (ROOT / "deploy" / "Dockerfile").read_text(), re.MULTILINE)
    assert users
    assert users[-1] not in ("root", "0")


def test_no_secret_has_a_default():
    for variable in ("SECRET_KEY", "POSTGRES_PASSWORD", "APPLICATION_PASSWORD", "REDIS_PASSWORD"):
        asked = re.findall(rf"\$\{{{variable}(.*?)\}}", (ROOT / "deploy" / "compose.yaml").read_text())
        assert any(rest.startswith(":?") for rest in asked), variable
        assert not any(rest.startswith((":-", "-")) for rest in asked), variable


def test_only_migrations_own_the_tables():
    """The application's role could otherwise take the triggers off the audit log."""
    for name, service in SERVICES.items():
        url = service.get("environment", {}).get("DATABASE_URL", "")
        assert ("//mizan:" in url) is (name == "migrate"), name
    assert "grant_application mizan_application" in SERVICES["migrate"]["command"]


def redis_configuration() -> list[str]:
    """The lines that the compose file gives to Redis, with the password filled in."""
    shell, flag, script = SERVICES["redis"]["command"]
    assert (shell, flag) == ("sh", "-c")
    lines = script.splitlines()
    assert lines[0].endswith("redis-server - <<CONFIGURATION")
    return [line.replace("$$REDIS_PASSWORD", "letmein") for line in lines[1 : lines.index("CONFIGURATION")]]


def test_redis_asks_for_a_password_and_has_lost_its_dangerous_verbs():
    """The very lines of the compose file, given to a Redis; but for its folder, which only a container has."""
    import redis

    if not servers.redis_program():
        pytest.skip("needs Redis")
    lines = [line for line in redis_configuration() if not line.startswith(("dir", "appendonly"))]
    with servers.redis(settings=tuple(lines)) as url:
        address = url.rsplit("@", 1)[1]
        client = redis.Redis.from_url(f"redis://:letmein@{address}")
        client.set("a", 1)
        for forbidden in (("CONFIG", "GET", "*"), ("DEBUG", "SLEEP", "0"), ("REPLICAOF", "NO", "ONE")):
            with pytest.raises(redis.ResponseError, match="unknown command"):
                client.execute_command(*forbidden)
        with pytest.raises(redis.AuthenticationError):
            redis.Redis.from_url(f"redis://{address}").ping()
    for service in ("web", "calls", "figures", "worker", "beat", "migrate"):
        assert SERVICES[service]["environment"]["REDIS_URL"].startswith("redis://:${REDIS_PASSWORD")


def queues_of(command: str) -> str:
    return command.split("--queues ")[1].split()[0]


def test_every_queue_has_a_worker_of_its_own_in_containers_and_in_units():
    """Whoever serves two of them lets the one wait for the other."""
    in_containers = [str(service.get("command", "")) for service in SERVICES.values()]
    in_units = [value for unit in UNITS for name, value in settings_of(unit) if name == "ExecStart"]
    for commands in (in_containers, in_units):
        assert sorted(queues_of(each) for each in commands if "--queues " in each) == sorted(settings.QUEUES)


# --- Units ----------------------------------------------------------------------------------------------

NEEDED = {
    "NoNewPrivileges": "yes",
    "CapabilityBoundingSet": "",
    "PrivateDevices": "yes",
    "ProtectKernelTunables": "yes",
    "ProtectKernelModules": "yes",
    "ProtectKernelLogs": "yes",
    "ProtectControlGroups": "yes",
    "RestrictAddressFamilies": "AF_INET AF_INET6 AF_UNIX",
    "RestrictNamespaces": "yes",
    "RestrictSUIDSGID": "yes",
    "RestrictRealtime": "yes",
    "LockPersonality": "yes",
    "MemoryDenyWriteExecute": "yes",
    "SystemCallArchitectures": "native",
}


def settings_of(path: Path) -> list[tuple[str, str]]:
    lines = [line for line in path.read_text().splitlines() if "=" in line and not line.startswith(("#", ";"))]
    return [(name, value) for name, _equals, value in (line.partition("=") for line in lines)]


def test_every_unit_gives_up_what_it_does_not_need():
    """In one file that systemd reads for every unit whose name begins with mizan-."""
    assert NEEDED.items() <= dict(settings_of(DROP_IN)).items()
    calls = [value for name, value in settings_of(DROP_IN) if name == "SystemCallFilter"]
    assert calls == ["@system-service", "~@privileged @resources"]
    assert UNITS
    assert all(unit.name.startswith("mizan-") for unit in UNITS)


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_no_unit_takes_back_what_the_common_file_gives_up(unit):
    parser = configparser.RawConfigParser(strict=False, delimiters=("=",), comment_prefixes=("#", ";"))
    parser.optionxform = str
    parser.read(unit)
    own = dict(parser["Service"])
    assert own["User"] == "mizan"
    assert own["ProtectSystem"] == "strict"
    assert own["ProtectHome"] == own["PrivateTmp"] == "yes"
    assert all(own[name] == value for name, value in NEEDED.items() if name in own)


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not here")
def test_systemd_finds_little_exposed(tmp_path):
    folder = tmp_path / "etc" / "systemd" / "system"
    shutil.copytree(ROOT / "deploy" / "systemd", folder)
    units = [unit.name for unit in UNITS]
    command = ["systemd-analyze", "security", "--offline=true", f"--root={tmp_path}", "--threshold=25", *units]
    looked = subprocess.run(command, capture_output=True, text=True)
    if "--offline" in looked.stderr or "--root" in looked.stderr:
        pytest.skip("this systemd cannot look at files")
    assert looked.returncode == 0, looked.stdout[-2000:] + looked.stderr
    assert looked.stdout.count("Overall exposure level") == len(units)


# What systemd asks of the kernel for MemoryDenyWriteExecute, asked for by the process itself.
WITHOUT_WRITABLE_CODE = """
import ctypes, mmap, sys
if ctypes.CDLL(None).prctl(65, 1, 0, 0, 0):
    sys.exit(77)
try:
    mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    sys.exit("memory that is both was given")
except PermissionError:
    pass
import django
django.setup()
import numpy, regex, scipy.optimize, scipy.stats, sqlite3
from cryptography.hazmat.primitives.asymmetric import ec
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.urls import get_resolver
import config.celery
get_resolver().url_patterns
scipy.stats.beta.ppf(0.3, 2, 3), scipy.optimize.brentq(lambda x: x * x - 2, 0, 2), numpy.linalg.svd(numpy.eye(50))
regex.findall(r"\\\\X", "নমস্কার")
ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(lambda x: x)(4)
hasher = Argon2PasswordHasher()
assert hasher.verify("a", hasher.encode("a", hasher.salt()))
database = sqlite3.connect(":memory:")
database.create_function("f", 1, lambda x: x)
assert database.execute("SELECT f(1)").fetchone() == (1,)
ec.generate_private_key(ec.SECP256R1())
"""


def test_the_application_needs_no_memory_that_is_written_and_run():
    environment = {"DJANGO_SETTINGS_MODULE": "tests.settings", "PATH": "/usr/bin:/bin", "SECRET_KEY": "tests-only"}
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_WRITABLE_CODE], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    if done.returncode == 77:
        pytest.skip("this kernel cannot refuse it")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["web", "worker", "calls", "beat"])
def test_a_unit_is_started_again_however_and_however_often_it_ends(name):
    stated = dict(settings_of(ROOT / "deploy" / "systemd" / f"mizan-{name}.service"))
    assert (stated["Restart"], stated["StartLimitIntervalSec"]) == ("always", "0")
    assert name != "web" or stated["TimeoutStartSec"] == "infinity", "a migration is not rolled back halfway"


def test_the_cache_pushes_out_no_message():
    assert {"maxmemory 512mb", "maxmemory-policy volatile-lru"} <= {line.strip() for line in redis_configuration()}
