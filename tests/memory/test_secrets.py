"""Credentials are refused by kind and never echoed; prose about them is not."""

from __future__ import annotations

import random
import string
import subprocess
import sys
from pathlib import Path

import pytest

from loregraph.errors import SecretError
from loregraph.memory.api import ProjectMemory
from loregraph.memory.secrets import secret_kinds

chance = random.Random(11)
WORD = string.ascii_letters + string.digits


def some(length: int, alphabet: str = WORD) -> str:
    return "".join(chance.choice(alphabet) for _ in range(length))


# Put together here, so that no scanner finds them in this file.
SECRETS = {
    "AWS Access Key": "the bucket wants AKIA" + some(16, string.ascii_uppercase + "234567"),
    "GitHub Token": "gh" + "p_" + some(36),
    "GitLab Token": "use gl" + "pat-" + some(20) + " for it",
    "OpenAI API Key": "sk-" + "proj-" + some(40) + "T3Blbk" + "FJ" + some(40),
    "Anthropic API Key": "sk-" + "ant-api03-" + some(90),
    "Slack Token": "xo" + "xb-" + some(12, string.digits) + "-" + some(12, string.digits) + "-" + some(24),
    "Stripe Access Key": "sk_" + "live_" + some(24),
    "Private Key": "-----BEGIN " + "OPENSSH PRIVATE KEY-----\n" + some(70) + "\n",
    "Google API Key": "AI" + "za" + some(35),
    "Basic Auth Credentials": "postgres://svc:" + "k3Vq9zLp2" + "@db.internal/app",
    "Password": "the database password is " + "Tr0ub4dor" + "&3xKq9",
    "Secret Keyword": "api_key = '" + some(32) + "7'",
}


# Verifies REQ-MEM-008.
@pytest.mark.parametrize("kind", SECRETS)
def test_a_credential_is_refused_naming_its_kind_and_never_echoed(memory: ProjectMemory, kind: str, home: Path) -> None:
    with pytest.raises(SecretError) as caught:
        memory.add(SECRETS[kind])
    assert kind in caught.value.kinds
    assert kind in caught.value.message
    assert caught.value.code == "VALIDATION_ERROR"
    shown = caught.value.message + caught.value.suggestion
    assert not [word for word in SECRETS[kind].split() if len(word) > 12 and word in shown]
    assert not (home / "memory" / "shop.jsonl").exists()


def test_a_credential_is_found_wherever_it_stands(memory: ProjectMemory) -> None:
    token = SECRETS["GitHub Token"]
    memory_id = memory.add("harmless").memory_id
    for attempt in (
        lambda: memory.add("x", metadata={"deep": {"er": [token]}}),
        lambda: memory.add("a line\n" * 50 + token),
        lambda: memory.update(memory_id, content=token),
        lambda: memory.update(memory_id, metadata={"t": token}),
    ):
        with pytest.raises(SecretError):
            attempt()
    assert memory.add_many([{"content": token}, {"content": "fine"}]).created == 1
    assert memory.get(memory_id).version == 1


# Verifies REQ-MEM-008.
def test_the_call_may_insist(memory: ProjectMemory) -> None:
    added = memory.add(SECRETS["GitHub Token"], allow_secret=True)
    assert memory.get(added.memory_id).content == SECRETS["GitHub Token"]


@pytest.mark.parametrize(
    "text",
    [
        "The password is kept in the vault; never write it here.",
        "Password reset tokens expire after one hour.",
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8 broke the build",
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 is the empty file",
        "We read the API key from os.environ['API_KEY'] and pass it as api_key=settings.api_key.",
        "token = request.headers['Authorization']",
        "see memory 3f2504e0-4f89-41d3-9a0c-0305e82c3301",
        "def authenticate(user: str, password: str) -> Token: ...",
        "curl -u user:password http://localhost:8000",
        "postgres://user:password@localhost/db is the example URL",
        "src/flask/app.py::Flask.secret_key is checked in src/flask/sessions.py",
        "SECRET_KEY = 'dev' in the tutorial",
        'password="<your password>"',
        "AWS keys start with AKIA and GitHub tokens with ghp_",
        "passwords: at least 12 characters, hashed with argon2id",
        "the token is validated in auth/jwt.py::decode_token before v2.1",
        "key = hashlib.sha256(data).hexdigest()",
    ],
)
def test_prose_and_code_about_credentials_is_no_credential(text: str) -> None:
    assert secret_kinds(text) == []


def test_the_detector_is_loaded_by_texts_that_need_it_only() -> None:
    script = (
        "import sys; from loregraph.memory.secrets import secret_kinds\n"
        "secret_kinds('Prices are rounded once, at the end.'); assert 'detect_secrets' not in sys.modules\n"
        "secret_kinds('password'); assert 'detect_secrets' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
