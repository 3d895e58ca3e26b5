"""The runtime side: sessions, the live agent, and reports that survive an outage."""

from __future__ import annotations

import asyncio
import os
import time
from datetime import datetime
from typing import Any

from kit import CHANNEL_ID, SECRET, Case, Reply, refusal, settle, with_both

import roster_client
from roster_client import reports, verify_webhook

NUMBER = "+14155550177"
NOWHERE = "http://127.0.0.1:9"
RECORDED = Reply(200, {"data": {"id": "call_1", "contact_id": None, "effect": "recorded"}})


def event(provider_id: str, **fields: Any) -> Any:
    return {"type": "call", "provider_id": provider_id, "direction": "inbound", "number": NUMBER, **fields}


class Reports(Case):
    async def asyncSetUp(self) -> None:
        await super().asyncSetUp()
        reports.BASE_DELAY = 0.01

    @with_both
    async def test_a_report_is_signed_and_sent_until_the_service_has_it(self) -> None:
        server = self.server("close", refusal(503, "UNAVAILABLE", "0"), refusal(500, "INTERNAL_ERROR"), RECORDED)
        channel = self.channel(base_url=server.url)
        reported = channel.report(event("a", summary="Zoë"))
        self.assertEqual((await settle(reported))["id"], "call_1")
        self.assertEqual(channel.pending, 0)
        self.assertEqual(len(server.requests), 4)
        self.assertEqual(len({each.headers["webhook-id"] for each in server.requests}), 1)
        for each in server.requests:
            self.assertEqual(each.path, f"/hooks/channels/{CHANNEL_ID}/events")
            self.assertEqual(each.headers["content-type"], "application/json")
            self.assertEqual(verify_webhook(each.body, each.headers, SECRET), event("a", summary="Zoë"))

    @with_both
    async def test_reports_of_one_call_keep_their_order_and_a_refused_one_is_dropped(self) -> None:
        dropped: list[Any] = []
        server = self.server(*[refusal(500, "INTERNAL_ERROR")] * 2, refusal(400, "VALIDATION_ERROR"), RECORDED)
        channel = self.channel(base_url=server.url, on_drop=lambda *each: dropped.append(each))
        for status in ("ringing", "in_progress", "completed"):
            last = channel.report(event("a", status=status))
        await settle(channel.flush())
        self.assertEqual((await settle(last))["id"], "call_1")
        statuses = [each.json["status"] for each in server.requests]
        self.assertEqual(statuses, ["ringing"] * 3 + ["in_progress", "completed"])
        self.assertEqual([(each["status"], reason.code) for each, reason in dropped], [("ringing", "VALIDATION_ERROR")])

    @with_both
    async def test_in_an_outage_the_oldest_are_dropped_above_the_limits(self) -> None:
        for limit in ({"max_reports": 6}, {"max_report_bytes": 6 * len(str(event("call-0")).encode())}):
            dropped: list[Any] = []
            channel = self.channel(base_url=NOWHERE, on_drop=lambda *each: dropped.append(each), **limit)
            for at in range(10):
                channel.report(event(f"call-{at}"))
            await asyncio.sleep(0.2)
            # Four are being sent, or wait for another attempt.
            self.assertEqual({reason for _, reason in dropped}, {"overflow"})
            self.assertEqual((len(dropped), channel.pending), (4, 6))
            left = await settle(channel.close(timeout=0))
            self.assertEqual(len(left), 6)
            self.assertEqual({reason for _, reason in dropped}, {"overflow", "closed"})

    @with_both
    async def test_a_late_report_says_when_it_happened(self) -> None:
        server = self.server(refusal(503, "UNAVAILABLE"), refusal(503, "UNAVAILABLE"), RECORDED)
        reports.BASE_DELAY = 2.4
        channel = self.channel(base_url=server.url)
        before = time.time()
        channel.report(event("a", status="in_progress"))
        channel.report(event("b", status="completed"))
        await settle(channel.flush())
        late = {each.json["provider_id"]: each.json for each in server.requests[2:]}
        for call, name, other in (("a", "started_at", "ended_at"), ("b", "ended_at", "started_at")):
            self.assertNotIn(other, late[call])
            date = datetime.fromisoformat(late[call][name].replace("Z", "+00:00"))
            self.assertLess(abs(date.timestamp() - before), 1)


class LiveAgent(Case):
    @with_both
    async def test_it_is_the_last_known_one_or_the_fallback_while_the_service_does_not_respond(self) -> None:
        channel = self.channel(base_url=NOWHERE, fallback="Take a message.", max_retries=0)
        answer = {"source": "fallback", "rendered": "Take a message.", "contact": None, "config": {}}
        self.assertEqual(await settle(channel.agent()), answer)
        self.assertEqual(await settle(channel.agent(number=NUMBER)), answer)
        nothing = self.channel(base_url=NOWHERE, max_retries=0)
        error = await self.failure(lambda: nothing.agent())
        self.assertIsInstance(error, roster_client.ConnectionError)
        live = Reply(200, {"data": {"rendered": "Hello.", "config": {"speed": 1}}}, {"ETag": '"1;gzip"'})
        server = self.server(live, refusal(503, "UNAVAILABLE"), Reply(304), refusal(404, "NOT_FOUND"))
        channel = self.channel(base_url=server.url, fallback="Take a message.", max_retries=0)
        first = await settle(channel.agent())
        self.assertEqual((first["source"], first["rendered"]), ("service", "Hello."))
        self.assertEqual((await settle(channel.agent(number=NUMBER)))["source"], "cache")
        self.assertEqual((await settle(channel.agent()))["source"], "cache")
        while len(server.requests) < 3:
            await asyncio.sleep(0.01)
        self.assertEqual(server.requests[2].headers["if-none-match"], '"1"')
        self.assertIsInstance(await self.failure(lambda: channel.agent(number=NUMBER)), roster_client.NotFoundError)

    @with_both
    async def test_a_secret_that_is_none_is_named(self) -> None:
        for secret in ("", "rk_1", "whsec_", "whsec_%%"):
            with self.assertRaises(ValueError):
                self.channel(base_url=NOWHERE, secret=secret)


class RealChannel(Case):
    def connect(self, **options: Any) -> Any:
        return self.channel(id=os.environ["CHANNEL"], secret=os.environ["CHANNEL_SECRET"], **options)

    @with_both
    async def test_a_conversation_has_its_contact_its_version_and_its_signed_result(self) -> None:
        channel, roster = self.connect(), self.client()
        who: Any = {"provider_id": f"call-{self.is_async}", "direction": "inbound", "number": NUMBER}
        await settle(roster.contacts.upsert(NUMBER, {"first_name": "Ada"}))
        session = await settle(channel.session(who))
        self.assertEqual((session["instructions"], session["degraded"]), ("Greet Ada.", False))
        self.assertEqual((await settle(channel.session(who)))["session_id"], session["session_id"])
        call = {"type": "call", **who, "session_id": session["session_id"]}
        channel.report({**call, "status": "in_progress", "instructions_sha256": session["sha256"]})
        ended = await settle(channel.report({**call, "status": "completed", "seconds": 9, "goals": {"booked": True}}))
        self.assertEqual(ended["effect"], "updated")
        stored = await settle(roster.calls.get(ended["id"], include="instructions"))
        self.assertEqual(
            (stored["goals"], stored["session_id"], stored["version_id"], stored["instructions"]["text"]),
            ({"booked": True}, session["session_id"], session["version"]["id"], "Greet Ada."),
        )
        turns: Any = [{"speaker": "agent", "text": "Hello.", "at": None}]
        await settle(roster.calls.replace_transcript(ended["id"], {"turns": turns}))
        self.assertEqual((await settle(roster.calls.transcript(ended["id"])))["turns"], turns)
        live = await settle(channel.agent(number=NUMBER))
        self.assertEqual((live["source"], live["rendered"]), ("service", "Greet Ada."))
        wrong = self.channel(id=os.environ["CHANNEL"])
        self.assertIsInstance(await self.failure(lambda: wrong.session(who)), roster_client.UnauthorizedError)


class Degraded(RealChannel):
    """Runs while the records are locked."""

    @with_both
    async def test_a_session_is_degraded_and_keeps_its_version(self) -> None:
        channel = self.connect()
        who: Any = {"provider_id": f"degraded-{self.is_async}", "direction": "inbound", "number": NUMBER}
        session = await settle(channel.session(who))
        self.assertEqual((session["degraded"], session["contact"]), (True, None))
        self.assertEqual(session["instructions"], "Greet the caller.")
        self.assertRegex(session["version"]["version_label"], "^v1$")


class Recipe(Case):
    async def test_the_recipes_conversation_reports_goals_and_transcript(self) -> None:
        from conversation import Conversation

        self.is_async = True
        roster = self.client()
        await roster.contacts.upsert(NUMBER, {"first_name": "Ada"})
        conversation = Conversation("recipe", NUMBER)
        self.assertEqual(await conversation.start(), "Greet Ada.")
        conversation.answered()
        conversation.goals["booked"] = True
        await conversation.end([("agent", "Hello Ada."), ("caller", "Hello.")])
        call = (await roster.calls.list(channel_id=os.environ["CHANNEL"]).all(max=1))[0]
        result = (call["provider_id"], call["status"], call["goals"])
        self.assertEqual(result, ("recipe", "completed", {"booked": True}))
        turns = (await roster.calls.transcript(call["id"]))["turns"]
        said = [(each["speaker"], each["text"]) for each in turns]
        self.assertEqual(said, [("agent", "Hello Ada."), ("caller", "Hello.")])
