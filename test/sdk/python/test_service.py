"""The clients against a real service, which the environment names."""

from __future__ import annotations

import json
import uuid

from kit import Case, Reply, settle, with_both

import roster_client
from roster_client import WebhookVerificationError, response_of, sign_webhook, verify_webhook

numbers = iter(f"+1415555{at:04}" for at in range(120, 170))


class Service(Case):
    @with_both
    async def test_a_contact_is_created_read_changed_and_deleted(self) -> None:
        roster, number = self.client(), next(numbers)
        ada = await settle(roster.contacts.create({"phone_number": number, "first_name": "Ada", "tags": ["vip"]}))
        self.assertEqual((ada["phone_number"], ada["tags"], response_of(ada).created), (number, ["vip"], True))
        self.assertRegex(str(response_of(ada).request_id), "^req_")
        etag = response_of(await settle(roster.contacts.get(ada["id"]))).etag
        await settle(roster.contacts.update(ada["id"], {"company": "Engines"}, if_match=etag))
        error = await self.failure(lambda: roster.contacts.update(ada["id"], {"company": None}, if_match=etag))
        self.assertIsInstance(error, roster_client.PreconditionFailedError)
        error = await self.failure(lambda: roster.contacts.create({"phone_number": number}))
        self.assertIsInstance(error, roster_client.ConflictError)
        self.assertEqual(error.existing_contact_id, ada["id"])
        error = await self.failure(lambda: roster.contacts.create({"phone_number": "none"}))
        self.assertIsInstance(error, roster_client.ValidationError)
        self.assertEqual([each["field"] for each in error.fields], ["phone_number"])
        found = await settle(roster.contacts.upsert(number, {"notes": "Zoë"}))
        self.assertEqual((found["id"], response_of(found).created), (ada["id"], False))
        same = await settle(roster.request("GET", "/contacts", query={"search": number}))
        self.assertEqual([each["notes"] for each in same], ["Zoë"])
        self.assertEqual(await settle(roster.contacts.delete(ada["id"])), {"deleted": True})
        self.assertIsInstance(await self.failure(lambda: roster.contacts.get(ada["id"])), roster_client.NotFoundError)

    @with_both
    async def test_the_same_idempotency_key_executes_a_request_once(self) -> None:
        roster, key, number = self.client(), str(uuid.uuid4()), next(numbers)
        first = await settle(roster.contacts.create({"phone_number": number}, idempotency_key=key))
        again = await settle(roster.contacts.create({"phone_number": number}, idempotency_key=key))
        self.assertEqual(first, again)
        self.assertEqual(response_of(again).headers["idempotent-replayed"], "true")
        error = await self.failure(lambda: roster.contacts.create({"phone_number": next(numbers)}, idempotency_key=key))
        self.assertEqual((error.code, error.status), ("IDEMPOTENCY_MISMATCH", 422))

    @with_both
    async def test_a_loop_sees_every_contact_once_while_others_are_created(self) -> None:
        roster, tag = self.client(), str(uuid.uuid4())
        made = [{"op": "create", "phone_number": next(numbers), "tags": [tag]} for _ in range(7)]
        batch = await settle(roster.contacts.batch({"operations": made}))
        self.assertEqual((batch["created"], batch["failed"]), (7, 0))
        contacts = roster.contacts.list(tag=tag, limit=3)
        seen = []
        if self.is_async:
            async for contact in contacts:
                seen.append(contact["phone_number"])
                if len(seen) == 2:
                    await roster.contacts.create({"phone_number": next(numbers), "tags": [tag]})
        else:
            for contact in contacts:
                seen.append(contact["phone_number"])
                if len(seen) == 2:
                    roster.contacts.create({"phone_number": next(numbers), "tags": [tag]})
        self.assertEqual(seen, [each["phone_number"] for each in reversed(made)])
        page = await settle(contacts.page())
        self.assertEqual((len(page.data), page.pagination["total"]), (3, 8))
        self.assertEqual(len(await settle(contacts.all(max=4))), 4)
        export = await settle(roster.contacts.export(tag=tag, format="jsonl"))
        lines = [each async for each in export.aiter_lines()] if self.is_async else [*export.iter_lines()]
        self.assertEqual(len([json.loads(line) for line in lines if line.strip()]), 8)

    @with_both
    async def test_a_webhook_that_the_service_sent_is_verified(self) -> None:
        receiver, roster = self.server(Reply(200)), self.client()
        webhook = await settle(roster.webhooks.create({"url": f"{receiver.url}/hook"}))
        attempt = await settle(roster.webhooks.test(webhook["id"]))
        self.assertEqual(attempt["status"], 200, attempt)
        sent = next(each for each in receiver.requests if b"webhook.test" in each.body)
        event = verify_webhook(sent.body, sent.headers, webhook["secret"])
        self.assertEqual((event["type"], event["id"]), ("webhook.test", sent.headers["webhook-id"]))
        other = "whsec_" + "QUFB" * 11
        self.assertTrue(verify_webhook(sent.body.decode(), sent.headers, [other, webhook["secret"]]))
        now = float(sent.headers["webhook-timestamp"])
        for body, headers, secret, clock in [
            (sent.body + b" ", sent.headers, webhook["secret"], now),
            (sent.body, {**sent.headers, "webhook-id": "msg_2"}, webhook["secret"], now),
            (sent.body, {**sent.headers, "webhook-timestamp": "soon"}, webhook["secret"], now),
            (sent.body, {**sent.headers, "webhook-signature": "v1,%%%"}, webhook["secret"], now),
            (sent.body, {**sent.headers, "webhook-signature": ""}, webhook["secret"], now),
            (sent.body, sent.headers, other, now),
            (sent.body, sent.headers, webhook["secret"], now + 301),
        ]:
            with self.assertRaises(WebhookVerificationError):
                verify_webhook(body, headers, secret, now=clock)
        headers = sign_webhook(sent.body, webhook["secret"], id=sent.headers["webhook-id"], now=now)
        self.assertEqual(headers["webhook-signature"], sent.headers["webhook-signature"])
        with self.assertRaises(ValueError):
            verify_webhook(sent.body, sent.headers, "whsec_%%")
        await settle(roster.webhooks.delete(webhook["id"]))
