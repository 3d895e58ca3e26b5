"""One phone call that a Roster channel's agent answers, from its session to its transcript. Both recipes use it."""
from __future__ import annotations

import os
import sys
import time
from typing import Any

from roster_client import AsyncRoster, RosterError
from roster_client.runtime import AsyncChannel

FALLBACK = "Apologize: the system is not available. Take a message with name and number."


class Conversation:
    def __init__(self, provider_id: str, number: str | None) -> None:
        self._channel = AsyncChannel(os.environ["CHANNEL"], os.environ["CHANNEL_SECRET"], fallback=FALLBACK)
        self._who: Any = {"provider_id": provider_id, "direction": "inbound", "number": number or "anonymous"}
        self._call: Any = {"type": "call", **self._who}
        self._started_at = time.monotonic()
        self.goals: dict[str, bool] = {}
        self.config: dict[str, Any] = {}

    async def start(self) -> str:
        """What the agent is told: the instructions of the deployed version, with the caller's values."""
        try:
            # One request: who calls, what to say, and which version says it until the call ends.
            session = await self._channel.session(self._who)
        except RosterError:
            agent = await self._channel.agent()
            self.config = agent["config"]
            return agent["rendered"]
        self._call |= {"session_id": session["session_id"], "instructions_sha256": session["sha256"]}
        self.config = session["config"]
        return session["instructions"]

    def answered(self) -> None:
        self._report(status="in_progress")

    async def end(self, turns: list[tuple[str, str]]) -> None:
        """Reports the end and the goals, and stores the transcript: pairs of `caller` or `agent`, and what was said."""
        ended = self._report(status="completed", seconds=round(time.monotonic() - self._started_at))
        # On its own, so that a result which the workspace does not accept leaves the end alone.
        self._report(goals=self.goals)
        for event in await self._channel.close():
            print("Not reported:", event, file=sys.stderr)
        call = ended.result()
        if call and os.environ.get("ROSTER_KEY"):
            said: Any = [{"speaker": speaker, "text": text, "at": None} for speaker, text in turns]
            async with AsyncRoster() as roster:
                try:
                    await roster.calls.replace_transcript(call["id"], {"turns": said})
                except RosterError as error:
                    print("The transcript was not stored:", error, file=sys.stderr)

    def _report(self, **fields: Any) -> Any:
        return self._channel.report({**self._call, **fields})
