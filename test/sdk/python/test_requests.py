"""What the clients send, and how they repeat it, against a server that responds as a script says."""

from __future__ import annotations

import builtins
import inspect
import json
import os
import re
from pathlib import Path
from typing import Any

from kit import Case, Reply, refusal, settle, with_both

import roster_client
from roster_client import resources, response_of
from roster_client.lists import AsyncRecordList, RecordList

AGENT = Reply(200, {"success": True, "data": {"id": "an id", "name": "Ada"}})
OVERLOADED = refusal(503, "UNAVAILABLE", "0")


def page(data: list[int], total: int, offset: int, link: str | None = None) -> Reply:
    pagination = {"total": total, "limit": 100, "offset": offset, "has_more": offset + len(data) < total}
    return Reply(200, {"success": True, "data": data, "pagination": pagination}, {"Link": link} if link else {})


class Requests(Case):
    @with_both
    async def test_a_write_is_repeated_with_the_same_key_and_body(self) -> None:
        server = self.server(OVERLOADED, refusal(429, "RATE_LIMITED", "0"), "close", AGENT)
        retries: list[roster_client.Retry] = []
        roster = self.client(base_url=server.url, api_key="a key", on_retry=retries.append)
        agent = await settle(roster.agents.create({"name": "Ada", "instructions": "é"}))
        self.assertEqual(agent, {"id": "an id", "name": "Ada"})
        self.assertEqual(len(server.requests), 4)
        self.assertEqual(len({each.headers["idempotency-key"] for each in server.requests}), 1)
        self.assertEqual({each.body for each in server.requests}, {'{"name": "Ada", "instructions": "é"}'.encode()})
        self.assertEqual(server.requests[0].headers["authorization"], "Bearer a key")
        self.assertEqual(
            [(each.attempt, type(each.error).__name__) for each in retries],
            [(1, "UnavailableError"), (2, "RateLimitedError"), (3, "ConnectionError")],
        )

    @with_both
    async def test_every_write_has_its_own_key_unless_the_caller_sets_one(self) -> None:
        server = self.server(AGENT)
        roster = self.client(base_url=f"{server.url}/v1/", api_key="a key")
        await settle(roster.agents.create({"name": "A", "instructions": ""}))
        await settle(roster.agents.update("1", {}))
        await settle(roster.agents.update("1", {}, idempotency_key="mine", if_match='"1"'))
        await settle(roster.agents.get("1"))
        await settle(roster.agents.delete("1"))
        first, second, third, *others = [each.headers.get("idempotency-key") for each in server.requests]
        self.assertRegex(str(first), r"^[\da-f-]{36}$")
        self.assertNotEqual(first, second)
        self.assertEqual((third, others), ("mine", [None, None]))
        self.assertEqual(server.requests[2].headers["if-match"], '"1"')
        self.assertEqual({each.path.split("?")[0] for each in server.requests}, {"/v1/agents", "/v1/agents/1"})

    @with_both
    async def test_retry_after_is_the_shortest_pause_and_retries_have_a_limit(self) -> None:
        server = self.server(refusal(429, "RATE_LIMITED", "1"), AGENT)
        pauses: list[float] = []
        roster = self.client(base_url=server.url, api_key="a key", on_retry=lambda retry: pauses.append(retry.delay))
        await settle(roster.agents.get("1"))
        self.assertTrue(1 <= pauses[0] <= 1.5, pauses)
        limited = self.server(OVERLOADED)
        roster = self.client(base_url=limited.url, api_key="a key", max_retries=2)
        error = await self.failure(lambda: roster.agents.get("1"))
        self.assertIsInstance(error, roster_client.UnavailableError)
        self.assertEqual(len(limited.requests), 3)
        late = self.server(refusal(503, "UNAVAILABLE", "60"))
        options: roster_client.RequestOptions = {"total_timeout": 5}
        roster = self.client(base_url=late.url, api_key="a key")
        await self.failure(lambda: roster.agents.get("1", options=options))
        self.assertEqual(len(late.requests), 1)

    @with_both
    async def test_a_deletion_whose_response_was_lost_is_done(self) -> None:
        missing = refusal(404, "NOT_FOUND")
        server = self.server("close", missing)
        roster = self.client(base_url=server.url, api_key="a key")
        self.assertEqual(await settle(roster.agents.delete("1")), {"deleted": True})
        server = self.server(missing)
        roster = self.client(base_url=server.url, api_key="a key")
        self.assertIsInstance(await self.failure(lambda: roster.agents.delete("1")), roster_client.NotFoundError)

    @with_both
    async def test_a_request_waits_for_another_attempt_with_its_key(self) -> None:
        running = refusal(409, "CONFLICT", "0")
        server = self.server(running, AGENT)
        roster = self.client(base_url=server.url, api_key="a key")
        await settle(roster.agents.create({"name": "A", "instructions": ""}))
        self.assertEqual(len(server.requests), 2)
        conflict = refusal(409, "CONFLICT", details={"existing_contact_id": "contact_1"})
        roster = self.client(base_url=self.server(conflict).url, api_key="a key")
        error = await self.failure(lambda: roster.contacts.create({"phone_number": "+14155550100"}))
        self.assertIsInstance(error, roster_client.ConflictError)
        self.assertEqual((error.existing_contact_id, error.request_id), ("contact_1", "req_1"))

    @with_both
    async def test_a_response_that_does_not_come_in_time_is_a_timeout(self) -> None:
        server = self.server("hang")
        roster = self.client(base_url=server.url, api_key="a key", timeout=0.2, max_retries=0)
        error = await self.failure(lambda: roster.agents.get("1"))
        self.assertIsInstance(error, roster_client.TimeoutError)
        self.assertIsInstance(error, builtins.TimeoutError)
        self.assertEqual((error.code, error.status), ("TIMEOUT", None))

    @with_both
    async def test_errors_have_the_class_of_their_status(self) -> None:
        problems = [{"field": "name", "message": "Send a name."}]
        scope = {"required_scope": "contacts:write"}
        for reply, name in [
            (refusal(400, "VALIDATION_ERROR", details=problems), "ValidationError"),
            (refusal(401, "UNAUTHORIZED"), "UnauthorizedError"),
            (refusal(403, "FORBIDDEN", details=scope), "MissingScopeError"),
            (refusal(403, "FORBIDDEN"), "RosterError"),
            (refusal(412, "PRECONDITION_FAILED"), "PreconditionFailedError"),
            (Reply(502, b"<h1>Bad gateway</h1>"), "RosterError"),
            (Reply(200, b"<h1>Welcome</h1>"), "RosterError"),
        ]:
            roster = self.client(base_url=self.server(reply).url, api_key="a key", max_retries=0)
            error = await self.failure(lambda: roster.agents.update("1", {}))
            self.assertEqual(type(error).__name__, name)
            if name == "ValidationError":
                self.assertEqual((error.fields, error.code, str(error)), (problems, "VALIDATION_ERROR", "No."))
            if name == "MissingScopeError":
                self.assertEqual(error.required_scope, "contacts:write")
            if reply.status in (200, 502):
                self.assertEqual(error.code, "INVALID_RESPONSE" if reply.status == 200 else "HTTP_502")

    @with_both
    async def test_lists_walk_by_offset_by_cursor_and_by_position(self) -> None:
        server = self.server(page([1, 2], 3, 0), page([3], 3, 2))
        roster = self.client(base_url=server.url, api_key="a key")
        self.assertEqual(await settle(roster.agents.list().all()), [1, 2, 3])
        paths = [each.path for each in server.requests]
        self.assertEqual(paths, ["/v1/agents?limit=100", "/v1/agents?limit=100&offset=2"])

        link = '</v1/contacts?limit=2&cursor=a%2Bb>; rel="next"'
        server = self.server(page([1, 2], 3, 0, link), page([3], 3, 2))
        roster = self.client(base_url=server.url, api_key="a key")
        found = roster.contacts.list(tag="vip", has_email=True, filter={"all": []}, limit=2)
        self.assertEqual([each async for each in found] if self.is_async else [*found], [1, 2, 3])
        self.assertEqual(
            [each.path for each in server.requests],
            [
                f"/v1/contacts?cursor={cursor}&limit=2&tag=vip&has_email=true&filter=%7B%22all%22%3A+%5B%5D%7D"
                for cursor in ("", "a%2Bb")
            ],
        )

        attempts = [{"number": 9}, {"number": 8}]
        server = self.server(
            Reply(200, {"data": {"attempts": attempts, "has_more": True}}),
            Reply(200, {"data": {"attempts": [{"number": 7}], "has_more": False}}),
        )
        roster = self.client(base_url=server.url, api_key="a key")
        self.assertEqual(len(await settle(roster.webhooks.list_attempts("1").all())), 3)
        self.assertEqual(server.requests[1].path, "/v1/webhooks/1/attempts?limit=100&before=8")
        self.assertEqual(await settle(roster.webhooks.list_attempts("1").all(max=0)), [])

    @with_both
    async def test_every_method_sends_the_request_that_the_document_describes(self) -> None:
        document = json.loads(Path(os.environ["OPENAPI"]).read_text())
        expected = {
            (verb.upper(), path): any(each["name"] == "Idempotency-Key" for each in operation.get("parameters", []))
            for path, verbs in document["paths"].items()
            if path.startswith("/v1/")
            for verb, operation in verbs.items()
        }
        patterns = {(verb, re.sub(r"\{\w+\}", "one", path)): is_keyed for (verb, path), is_keyed in expected.items()}
        data = {"events": [], "attempts": [], "entries": [], "after": None, "has_more": False, "next_cursor": None}
        server = self.server(Reply(200, {"data": data, "pagination": {"has_more": False}}))
        roster = self.client(base_url=server.url, api_key="a key")
        base = resources.AsyncResource if self.is_async else resources.Resource
        for part in [each for each in vars(roster).values() if isinstance(each, base)]:
            for name, method in inspect.getmembers(part, inspect.ismethod):
                if name.startswith("_"):
                    continue
                given = inspect.signature(method).parameters.values()
                needed = [each for each in given if each.default is each.empty]
                values: dict[str, Any] = {each.name: "one" for each in needed}
                if "body" in values:
                    values["body"] = {}
                made = method(**values)
                await settle(made.page() if isinstance(made, (RecordList, AsyncRecordList)) else made)
                request = server.requests[-1]
                is_keyed = patterns.pop((request.method, request.path.split("?")[0]))
                self.assertEqual("idempotency-key" in request.headers, is_keyed, name)
        self.assertEqual(patterns, {})

    @with_both
    async def test_uploads_have_their_type_and_are_sent_once(self) -> None:
        created = Reply(201, {"data": {"id": "import_1"}})
        server = self.server(created)
        roster = self.client(base_url=server.url, api_key="a key")
        await settle(roster.imports.create("phone\n", mapping={0: "phone_number"}, tags="a"))
        await settle(roster.imports.create(b"PK\x03\x04"))
        text, workbook = server.requests
        self.assertEqual((text.headers["content-type"], text.body), ("text/csv", b"phone\n"))
        self.assertIn("mapping=%7B%220%22%3A+%22phone_number%22%7D", text.path)
        self.assertIn("spreadsheetml", workbook.headers["content-type"])
        server = self.server(OVERLOADED)
        roster = self.client(base_url=server.url, api_key="a key")
        await self.failure(lambda: roster.imports.create("phone\n"))
        self.assertEqual(len(server.requests), 1)

    @with_both
    async def test_mistakes_of_the_program_are_named(self) -> None:
        for options, text in [
            ({"base_url": "roster.example.com"}, "must be a URL"),
            ({"base_url": "", "api_key": "k"}, "must be a URL"),
            ({"base_url": "http://x", "api_key": ""}, "Set api_key"),
        ]:
            with self.assertRaisesRegex(ValueError, text):
                self.client(**{"api_key": "k", **options})
        roster = self.client(base_url="http://127.0.0.1:9", api_key="k")
        for id in ("", ".", ".."):
            self.assertIsInstance(await self.failure(lambda: roster.agents.get(id)), ValueError)
        with self.assertRaises(TypeError):
            response_of({})
