"""The viewer against other sites, odd clients, and a repository that wants to be more than text on its pages."""

from __future__ import annotations

import http.client
import re
import socket
from collections.abc import Iterator
from contextlib import closing, suppress
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import pytest

from loregraph import http_connections
from loregraph.cli.main import main
from loregraph.pages.assets import MEDIA_TYPES
from loregraph.viewer.application import MOST_BODY, Service
from loregraph.viewer.export import export
from loregraph.viewer.routes import ACTIONS, DATA, PAGES, PARTS
from loregraph.viewer.security import HEADERS, POLICY, Access
from loregraph.viewer.served import ServedProject

from ..viewer.conftest import browser, tab
from .test_http import running, until_closed

__all__ = ["browser", "tab"]

TOKEN = "a-long-random-text-for-the-test"
LONG = 3_600.0
MARKUP = '"><img src=x onerror="hacked(1)"><script>hacked(2)</script><b>'
"""What a page would run if it took a text for markup."""
BIDI = "\u202etxt.exe\u2066"
TEMPLATE = "{{ 7 * 191 }}{% raw %}"
LINK = "[click](javascript:hacked(3)) <javascript:hacked(4)> ![x](http://evil.example/x.png)"
UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]")

DOCSTRING = f"{MARKUP} {BIDI} {TEMPLATE} {LINK} \\x1b[31m"
PYTHON = f'''
def first(value):
    """{DOCSTRING}"""
    # {MARKUP} Implements EVIL-1
    return second(value)


def second(value):
    """Verifies nothing. </textarea></script><!--"""
    total = 0
    for one in value:
        if one > 3:
            total += one * 2
        else:
            total -= one
    return total


LONG = "{"a" * 1_000_000}"
'''
COPIED = """{
  let total = 0;
  for (const one of value) { if (one > 3) { total += one * 2; } else { total -= one; } }
  return total;
}"""
SCRIPT = f"""
exports[{MARKUP.replace('"', "'")!r}] = function () {{ return exports["{BIDI}"](); }};
exports["{BIDI}"] = function () {{ return 1; }};
function copied(value) {COPIED}
function copied2(value) {COPIED}
"""
REQUIREMENTS = f"""
# Requirements {MARKUP}

- **EVIL-1** {MARKUP} {BIDI} {TEMPLATE} {LINK}
- **EVIL-2** Refines EVIL-1. {"word " * 20_000}
"""
FILES = {
    "src/<img src=x onerror=hacked(5)>.py": PYTHON,
    "src/'\";--&amp;#.py": PYTHON.replace("first", "third"),
    f"src/{BIDI}/__init__.py": "def hidden():\n    pass\n",
    "src/new\nline.py": "def broken_name():\n    pass\n",
    "src/__init__.py": "",
    "lib/evil.js": SCRIPT,
    "docs/requirements.md": REQUIREMENTS,
    "tests/test_evil.py": f'def test_first():\n    """Verifies EVIL-1 {MARKUP}"""\n    assert first([1])\n',
    "pyproject.toml": '[project]\nname = "<script>hacked(6)</script>"\n',
}


@pytest.fixture(scope="module")
def evil(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A project whose every name and text is hostile."""
    root = tmp_path_factory.mktemp("evil") / "<b>evil<script>hacked(7)<"
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("XDG_CONFIG_HOME", str(root.parent / "config"))
        for words in (
            ["index", "--no-embed", "--jobs", "1"],
            ["memory", "add", f"{MARKUP} {BIDI} {LINK}", "--tag", "<i>tag</i>"],
            ["index", "--no-embed", "--jobs", "1"],
        ):
            assert main(["--root", str(root), *words], standalone_mode=False) == 0
        yield root


class Client:
    """Asks a viewer as its own pages would."""

    def __init__(self, port: int, access: Access) -> None:
        self.port = port
        self.access = access

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def cookie(self) -> str:
        return f"{self.access.cookie_name}={self.access.session}"

    def ask(self, path: str, method: str = "GET", body: str = "", **headers: str | None) -> tuple[int, Any, str]:
        """(status, headers, body); `headers` replace those of a page of the viewer's own, None leaves one out."""
        given: dict[str, str | None] = {"Host": self.host, "Cookie": self.cookie}
        if method == "POST":
            given |= {"Origin": f"http://{self.host}", "Content-Type": "application/x-www-form-urlencoded"}
        given |= {name.replace("_", "-").title(): value for name, value in headers.items()}
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)) as connection:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in given.items():
                if value is not None:
                    connection.putheader(name, value)
            if body:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body.encode() or None)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read().decode()


@pytest.fixture(scope="module")
def client(evil: Path) -> Iterator[Client]:
    served = ServedProject(evil)
    access = Access(TOKEN, 0)
    bounds = http_connections.Bounds(body_bytes=MOST_BODY, head_seconds=LONG, send_seconds=LONG)
    try:
        service = Service(served, access)
        with running(service.application(), bounds) as port:  # type: ignore[arg-type]
            access.port = port
            yield Client(port, access)
            service.end()
    finally:
        served.close()


class Parsed(HTMLParser):
    """What a browser would find in a page."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.forms: list[tuple[str, str]] = []
        self.wrong: list[str] = []
        self.script = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag in ("img", "b", "iframe", "object", "embed", "base", "link", "meta") and "hacked" in str(given):
            self.wrong.append(f"<{tag} {given}>")
        if tag in ("img", "iframe", "object", "embed", "base"):
            self.wrong.append(f"<{tag}>")
        self.wrong += [f"{name}={value}" for name, value in given.items() if re.match(r"on[a-z]+$|style$", name)]
        if tag == "script":
            self.script = given.get("type", "")
            source = given.get("src", "")
            if not source.startswith("/assets/app.js?v=") and self.script != "application/json":
                self.wrong.append(f"<script {given}>")
        for name in ("href", "src", "action", "data-part"):
            if (address := given.get(name)) and not address.startswith("#"):
                self.addresses.append(address)
                # A written link may lead elsewhere; nothing else may.
                if urlsplit(address).netloc and (tag, name) != ("a", "href"):
                    self.wrong.append(address)
        if tag == "form" and given.get("method", "").lower() == "post":
            self.forms.append((given.get("action", ""), ""))


def checked(path: str, status: int, headers: Any, body: str) -> Parsed:
    """The page, which has to be safe whatever is in it."""
    assert status < 500, (path, body[:500])
    for name, value in HEADERS:
        assert headers.get_all(name.decode()) == [value.decode()], path
    assert "1337" not in body, f"{path} ran a template"
    if status == 303:
        assert headers["location"].startswith("/"), path
    if not (headers["content-type"] or "").startswith("text/html"):
        return Parsed()
    assert UNSEEN.search(body) is None, (path, UNSEEN.search(body))
    page = Parsed()
    page.feed(body)
    assert page.wrong == [], path
    for address in page.addresses:
        parts = urlsplit(address)
        assert parts.scheme in ("", "data", "http", "https", "vscode", "idea"), (path, address)
    return page


# Verifies REQ-SEC-008.
def test_no_text_of_a_project_is_more_than_text_on_any_page(client: Client) -> None:
    waiting = ["/", *PAGES, *(f"/part/{name}" for name in PARTS), *(f"/data/{name}" for name in DATA)]
    ids = ["EVIL-1", "src/<img src=x onerror=hacked(5)>.py::first", MARKUP, BIDI, "lib/evil.js::copied", "no\x00thing"]
    for route in (*PAGES, *(f"/part/{name}" for name in PARTS), *(f"/data/{name}" for name in DATA)):
        for value in ids:
            asked = dict.fromkeys(("id", "path", "q", "query", "open", "since", "a", "b", "rule", "kind"), value)
            waiting.append(f"{route}?{urlencode(asked)}")
    seen: set[str] = set()
    shown = ""
    while waiting and len(seen) < 260:
        address = waiting.pop(0).partition("#")[0]
        if address in seen or not address.startswith("/"):
            continue
        seen.add(address)
        status, headers, body = client.ask(address)
        page = checked(address, status, headers, body)
        shown += body if status == 200 else ""
        waiting += page.addresses
    assert "hacked(1)" in shown
    assert "hacked(5)" in shown
    assert "\\u202e" in shown


# Verifies REQ-WEB-002.
@pytest.mark.parametrize(
    ("status", "changed"),
    [
        (421, {"host": "evil.example"}),
        (421, {"host": "localhost"}),
        (421, {"host": None}),
        (403, {"cookie": None}),
        (403, {"cookie": "loregraph=x"}),
        (403, {"origin": "http://evil.example"}),
        (403, {"origin": "null"}),
        (403, {"sec_fetch_site": "cross-site"}),
        (403, {"sec_fetch_site": "same-site"}),
    ],
)
def test_nobody_else_is_answered_by_any_address(client: Client, status: int, changed: dict[str, str | None]) -> None:
    addresses = [("GET", path) for path in PAGES]
    addresses += [("GET", f"/part/{name}") for name in PARTS] + [("GET", f"/data/{name}") for name in DATA]
    addresses += [("POST", f"/do/{name}") for name in ACTIONS]
    addresses += [("GET", f"/assets/{name}") for name in MEDIA_TYPES] + [("GET", "/events"), ("GET", "/nothing")]
    for method, path in addresses:
        if method == "POST" and "origin" not in changed and status == 403:
            continue  # another test
        if method == "POST" and changed.get("host", "") is None:
            continue  # the connection is closed before the body is read: the answer may be lost
        got, headers, body = client.ask(path, method, "key=x" if method == "POST" else "", **changed)
        if changed.get("host", "") is None:
            assert got in (400, 421), path
            continue
        assert got == status, (method, path)
        assert headers["content-security-policy"] == POLICY
        assert "hacked" not in body
        assert headers["set-cookie"] is None


# Verifies REQ-WEB-002.
@pytest.mark.parametrize(
    "token", ["", "wrong", TOKEN[:-1], TOKEN + "x", quote(MARKUP), "%ff%00", f"{TOKEN}&token={TOKEN}"]
)
def test_a_wrong_token_lets_nobody_in(client: Client, token: str) -> None:
    status, headers, body = client.ask(f"/?token={token}", cookie=None)
    assert status == 403
    assert headers["set-cookie"] is None
    checked("token", status, headers, body)


# Verifies REQ-WEB-002.
def test_a_page_of_another_site_changes_nothing(client: Client) -> None:
    right = f"key={client.access.key}"
    for name in ACTIONS:
        path = f"/do/{name}"
        foreign = {"origin": "http://evil.example", "sec_fetch_site": "cross-site"}
        assert client.ask(path, "POST", right, **foreign)[0] == 403
        assert client.ask(path, "POST", right, origin=None)[0] == 403
        assert client.ask(path, "POST", "key=wrong")[0] == 403
        assert client.ask(path, "POST", "x=y")[0] == 403
        assert client.ask(path, "POST", right, content_type="text/plain")[0] == 413
        assert client.ask(path, "POST", '{"key": "x"}', content_type="application/json")[0] == 413
        status, _, _ = client.ask(f"{path}?{right}", "GET")
        assert status in (404, 405), "an action is no page"


# Verifies REQ-SEC-012.
def test_heads_and_bodies_have_a_size(client: Client) -> None:
    with closing(socket.create_connection(("127.0.0.1", client.port), 30)) as connection:
        with suppress(ConnectionError):
            connection.sendall(f"GET / HTTP/1.1\r\nHost: {client.host}\r\nX: {'a' * 1_000_000}".encode())
        assert until_closed(connection).split()[1:2] in ([b"400"], [b"431"], [])
    for name in ACTIONS:
        status, _, _ = client.ask(f"/do/{name}", "POST", f"key={client.access.key}&text={'a' * MOST_BODY}")
        assert status == 413
    many = "&".join(f"f{number}=x" for number in range(5_000))
    for path in ("/", "/map"):
        status, headers, body = client.ask(f"{path}?{many}")
        checked(path, status, headers, body)
    assert client.ask("/")[0] == 200


# Verifies REQ-SEC-012.
@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\nHost: ", b"POST /do/x HTTP/1.1\r\nHost: 127.0.0.1\r\n"])
def test_clients_that_dawdle_are_dropped(evil: Path, said: bytes) -> None:
    served = ServedProject(evil)
    try:
        application = Service(served, Access(TOKEN, 0)).application()
        bounds = http_connections.Bounds(body_bytes=1_000, head_seconds=0.2)
        with (
            running(application, bounds) as port,  # type: ignore[arg-type]
            closing(socket.create_connection(("127.0.0.1", port), 30)) as connection,
        ):
            connection.sendall(said)
            assert until_closed(connection) == b""
    finally:
        served.close()


# Verifies REQ-SEC-001.
@pytest.mark.parametrize(
    "name",
    [
        "../server.py",
        "..%2fserver.py",
        "%2e%2e/%2e%2e/etc/passwd",
        "style.css/..",
        "/etc/passwd",
        "app.js%00",
        "text.js",
        "",
    ],
)
def test_no_other_file_is_an_asset(client: Client, name: str) -> None:
    status, headers, body = client.ask(f"/assets/{name}")
    assert status in (404, 405)
    checked(name, status, headers, body)
    assert "import" not in body


def test_errors_tell_nothing_of_this_machine(client: Client, evil: Path) -> None:
    for path in ("/nothing", "/map?first=x", "/%ff", f"/{quote(MARKUP)}", "/memory?id=../../x"):
        _, _, body = client.ask(path)
        assert "Traceback" not in body
        assert str(evil.parent) not in body


# Verifies REQ-SEC-008, REQ-WEB-010.
def test_an_export_runs_nothing_of_the_project(evil: Path, tmp_path: Path, tab: Any) -> None:
    site = tmp_path / "site"
    export(evil, site, jobs=1)
    dialogs: list[str] = []
    tab.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    tab.add_init_script("window.hacked = what => { window.ran = (window.ran || []).concat(what); };")
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 3
    for page in pages:
        tab.goto(page.as_uri())
        assert tab.evaluate("window.ran") is None, page
        assert tab.locator("main img, main iframe, main b > img").count() == 0, page
        assert UNSEEN.search(tab.inner_text("body").replace("\x0b", "")) is None, page
    assert dialogs == []
    for script in (site / "data").rglob("*.js"):
        assert "\u202e" not in script.read_text()
