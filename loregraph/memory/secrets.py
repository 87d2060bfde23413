"""Detection of credentials in texts: by detect-secrets, offline, reported without being echoed.

The detector (the fork of Yelp's detect-secrets maintained for Checkov) reads line by line, as for source code. It lacks
most token formats introduced since 2023; those with a fixed prefix are listed here. Prose is not source code, so a
match by a variable's name counts only with a value that is no typical example. Its entropy detectors are left out: in
prose they match hashes of commits and files.
"""

from __future__ import annotations

import json
import re
import threading
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from loregraph.errors import SecretError

if TYPE_CHECKING:
    from collections.abc import Iterator

_SUSPICIOUS: Final = re.compile(
    r"pass|pwd|secret|token|api|key|auth|cred|private|://[^\s/]?[^\s/:]*+:[^\s/][^\s/@]*+@|[\w\-+/=.]{16,}",
    re.IGNORECASE,
)
"""Every credential contains at least one of these; only then is the detector imported."""

_TOKENS: Final = (
    ("Private Key", r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----"),
    ("GitHub Token", r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{60,})"),
    ("GitLab Token", r"\bgl(?:pat|ptt|dt|rt|cbt|oas|soat|ffct)-[\w-]{20,}"),
    ("OpenAI API Key", r"\bsk-(?:proj-|svcacct-|admin-)?[\w-]{16,}T3BlbkFJ[\w-]{16,}"),
    ("Anthropic API Key", r"\bsk-ant-[a-z0-9]+-[\w-]{32,}"),
    ("Google API Key", r"\bAIza[\w-]{35}"),
    ("Hugging Face Token", r"\bhf_[A-Za-z0-9]{30,}"),
    ("PyPI Token", r"\bpypi-AgE[\w-]{40,}"),
    ("NPM Token", r"\bnpm_[A-Za-z0-9]{36}"),
    ("Telegram Bot Token", r"\b\d{8,10}:AA[\w-]{33}\b"),
    ("Voyage API Key", r"\bpa-[\w-]{40,}"),
    ("DigitalOcean Token", r"\bdo[opr]_v1_[a-f0-9]{64}"),
    ("Vault Token", r"\bhv[sbr]\.[\w-]{24,}"),
)
_TOKEN: Final = tuple((kind, re.compile(pattern)) for kind, pattern in _TOKENS)

_ASSIGNED: Final = re.compile(
    r"(?:pass(?:word|wd|phrase)?|pwd|secret|token|api[_-]?key|access[_-]?key|auth[_-]?key|credentials?)\w{0,60}+['\"]?"
    r"(?:\s*+(?::=|=>|[=:])\s*+|\s++is\s++)['\"`]?(?P<value>[^\s'\"`,;()\[\]{}<>]{8,})",
    re.IGNORECASE,
)
_SHORTEST: Final = 8
_EXAMPLES: Final = re.compile(
    r"pass(word)?\d*|secret|changeme|change-me|example|test(ing)?\d*|dummy|foo(bar)?|hunter2|user(name)?|root|admin|"
    r"postgres|mysql|guest|your.*|my.*|[<$%{].*|.*[>}]|(.)\3*|x{3}.*|\.{3,}|\*+",
    re.IGNORECASE,
)
"""Placeholders for passwords in documentation."""
_PLUGINS: Final = (
    "AWSKeyDetector",
    "ArtifactoryDetector",
    "AzureStorageKeyDetector",
    "BasicAuthDetector",
    "CloudantDetector",
    "DiscordBotTokenDetector",
    "GitHubTokenDetector",
    "GitLabTokenDetector",
    "IbmCloudIamDetector",
    "IbmCosHmacDetector",
    "JwtTokenDetector",
    "KeywordDetector",
    "MailchimpDetector",
    "NpmDetector",
    "OpenAIDetector",
    "PypiTokenDetector",
    "SendGridDetector",
    "SlackDetector",
    "SoftlayerDetector",
    "SquareOAuthDetector",
    "StripeDetector",
    "TelegramBotTokenDetector",
    "TwilioKeyDetector",
)
_UNSURE: Final = ("BasicAuthDetector", "KeywordDetector")
"""Plugins that match by the context of a value, not by its form."""
_lock: Final = threading.Lock()


def secret_kinds(text: str) -> list[str]:
    """The kinds of credentials that `text` seems to contain, sorted; empty for none."""
    if not _SUSPICIOUS.search(text):
        return []
    found = {kind for kind, pattern in _TOKEN if pattern.search(text)}
    found.update("Password" for match in _ASSIGNED.finditer(text) if _is_random(match["value"]))
    with _lock:
        # The detector's plugins have state: one text at a time.
        found.update(_detected(text))
    return sorted(found)


# Implements REQ-MEM-008.
def refuse_secrets(content: str, metadata: dict[str, Any]) -> None:
    """Raises SecretError for a memory that looks like a credential, naming the kind but never the text."""
    for field, text in (("content", content), ("metadata", json.dumps(metadata) if metadata else "")):
        if kinds := secret_kinds(text):
            raise SecretError(
                f"{field}: looks like a credential ({', '.join(kinds)}), which does not belong into a memory",
                kinds,
                "write where the credential is kept instead, or pass allow_secret=true if it is none",
            )


def _detected(text: str) -> Iterator[str]:
    plugins = _plugins()
    for number, line in enumerate(text.splitlines(), start=1):
        if not _SUSPICIOUS.search(line):
            continue
        for name, plugin in plugins:
            for secret in plugin.analyze_line(filename="memory", line=line, line_number=number):
                value = secret.secret_value or ""
                if name not in _UNSURE or (len(value) >= _SHORTEST and _is_no_example(value, line)):
                    yield str(secret.type)


@cache
def _plugins() -> tuple[tuple[str, Any], ...]:
    """The detector's plugins. Importing them takes some tenths of a second."""
    from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class

    by_name = {cls.__name__: cls for cls in get_mapping_from_secret_type_to_class().values()}
    return tuple((name, by_name[name]()) for name in _PLUGINS if name in by_name)


def _is_no_example(value: str, line: str) -> bool:
    """Whether a value is more than a placeholder, a name or an expression: a literal with a digit."""
    if _EXAMPLES.fullmatch(value) or not any(character.isdigit() for character in value):
        return False
    return re.search(re.escape(value) + r"\s*[(\[.]", line) is None and not set(value) & set("()[]{}<>")


def _is_random(value: str) -> bool:
    """Whether a value after "password =" or "token is" looks random: mixed in a way that no word or path is."""
    value = value.rstrip(".!?:")
    if len(value) < _SHORTEST or _EXAMPLES.fullmatch(value) or "://" in value or "::" in value:
        return False
    kinds = sum(
        (
            any(c.islower() for c in value),
            any(c.isupper() for c in value),
            any(c.isdigit() for c in value),
            any(not c.isalnum() and c not in "_-./" for c in value),
        )
    )
    if not any(c.isdigit() for c in value) or not any(c.isalpha() for c in value):
        return False
    switches = sum(a.isdigit() != b.isdigit() for a, b in pairwise(value))
    return kinds >= 3 and switches >= 3
