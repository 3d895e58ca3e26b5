"""A server that responds as a script says, and what runs a test with both clients."""

from __future__ import annotations

import inspect
import json
import logging
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

import httpx

from roster_client import AsyncRoster, Roster, exchange
from roster_client.runtime import AsyncChannel, Channel

CHANNEL_ID = "channel_01k0000000e00000000000000a"
SECRET = "whsec_" + "QUFB" * 11
# It warns of every client that waits within a test.
logging.getLogger("asyncio").setLevel(logging.ERROR)


class Reply(NamedTuple):
    status: int = 200
    body: Any = None
    headers: dict[str, str] = {}


class Received(NamedTuple):
    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def refusal(status: int, code: str, retry_after: str | None = None, **error: Any) -> Reply:
    body = {"success": False, "error": {"code": code, "message": "No.", "request_id": "req_1", **error}}
    return Reply(status, body, {"Retry-After": retry_after} if retry_after is not None else {})


class QuietServer(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: Any) -> None:
        """Clients end connections."""


class ScriptedServer:
    """Responds to its requests in turn, and with the last reply to all others. `close` ends the connection, `hang`
    never responds."""

    def __init__(self, *script: Reply | str) -> None:
        self.requests: list[Received] = []
        self.stopping = threading.Event()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def respond(self) -> None:
                size = int(self.headers.get("Content-Length") or 0)
                headers = {name.lower(): value for name, value in self.headers.items()}
                body = self.rfile.read(size)
                server.requests.append(Received(self.command, self.path, headers, body))
                reply = script[min(len(server.requests), len(script)) - 1]
                if reply == "hang":
                    server.stopping.wait()
                if not isinstance(reply, Reply):
                    self.close_connection = True
                    return
                is_text = isinstance(reply.body, bytes)
                text = reply.body if is_text else b"" if reply.status == 304 else json.dumps(reply.body or {}).encode()
                self.send_response(reply.status)
                for name, value in {**reply.headers, "Content-Length": str(len(text))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = respond

            def log_message(self, *_: Any) -> None:
                pass

        self._server = QuietServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def close(self) -> None:
        self.stopping.set()
        self._server.shutdown()
        self._server.server_close()


async def settle(value: Any) -> Any:
    """What a method of either client returns."""
    while inspect.isawaitable(value):
        value = await value
    return value.result() if hasattr(value, "result") else value


def with_both(test: Any) -> Any:
    """Runs a test with the clients that wait, and with those for asyncio."""

    async def run(self: Case) -> None:
        for self.is_async in (False, True):
            with self.subTest("async" if self.is_async else "sync"):
                await test(self)
                await self.close_all()

    run.__name__ = test.__name__
    run.__doc__ = test.__doc__
    return run


class Case(unittest.IsolatedAsyncioTestCase):
    is_async = False
    opened: list[Any]

    async def asyncSetUp(self) -> None:
        self.opened = []
        exchange.BASE_DELAY = 0.02

    async def asyncTearDown(self) -> None:
        await self.close_all()

    async def close_all(self) -> None:
        while self.opened:
            one = self.opened.pop()
            options = {"timeout": 0} if hasattr(one, "pending") else {}
            await settle(one.close(**options))

    def server(self, *script: Reply | str) -> ScriptedServer:
        self.opened.append(ScriptedServer(*script))
        return self.opened[-1]

    def client(self, **options: Any) -> Any:
        Class, Http = (AsyncRoster, httpx.AsyncClient) if self.is_async else (Roster, httpx.Client)
        # Reading the certificates of authorities takes most of a client's start.
        self.opened.append(Class(**{"http_client": Http(verify=False), **options}))
        return self.opened[-1]

    def channel(self, **options: Any) -> Any:
        Class = AsyncChannel if self.is_async else Channel
        given = {"id": CHANNEL_ID, "secret": SECRET, "http_client": httpx.AsyncClient(verify=False), **options}
        self.opened.append(Class(**given))
        return self.opened[-1]

    async def failure(self, act: Any) -> Any:
        """The error of a call."""
        try:
            value = await settle(act())
        except Exception as error:
            return error
        self.fail(f"no error, but {value!r}")
