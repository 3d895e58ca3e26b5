"""A program that mypy checks: every `type: ignore` is an error that it must find."""

from __future__ import annotations

from roster_client import AsyncRoster, Roster, verify_webhook
from roster_client.runtime import AsyncChannel, Channel
from roster_client.schemas import Contact, ContactFilterTree, SessionCreate


def use(roster: Roster, channel: Channel) -> None:
    created = roster.contacts.create({"phone_number": "+14155550100", "first_name": "Ada"})
    name: str | None = created["first_name"]
    roster.contacts.create({"first_name": "Ada"})  # type: ignore[typeddict-item]
    roster.contacts.update("1", {"firstname": name})  # type: ignore[typeddict-item]
    roster.contacts.list(tags="vip")  # type: ignore[call-arg]
    roster.contacts.list(has_email="true")  # type: ignore[arg-type]
    filter: ContactFilterTree = {"not": {"any": [{"attribute": "tag", "op": "eq", "value": "vip"}]}}
    people: list[Contact] = roster.contacts.list(filter=filter, sort="-name").all(max=3)
    roster.contacts.list(sort="age")  # type: ignore[arg-type]
    print(people[0]["missing"])  # type: ignore[typeddict-item]
    roster.agents.compare_versions("1", "v2", from_="v1")["from"]["version_label"]
    session = channel.session({"provider_id": "1", "direction": "inbound", "number": None})
    answer = channel.agent()
    Channel("channel_1", "whsec_", fallbacks="")  # type: ignore[call-arg]
    print(session["contact"]["first_name"])  # type: ignore[index]
    if answer["source"] == "fallback":
        print(answer["agent_id"])  # type: ignore[typeddict-item]
    print(verify_webhook(b"", {}, "whsec_")["type"] == "contact.created")


async def use_async(roster: AsyncRoster, channel: AsyncChannel) -> None:
    async for contact in roster.contacts.list():
        print(contact["id"])
    found = await roster.contacts.by_phone("+14155550100")
    print(found["crm_ids"])
    roster.contacts.by_phone("1")["id"]  # type: ignore[index]
    await channel.report({"type": "call", "provider_id": "1", "direction": "inbound", "number": ""})
    who: SessionCreate = {"provider_id": "1", "direction": "sideways"}  # type: ignore[typeddict-item]
    await channel.session(who)
