"""A LiveKit worker that answers phone calls as the deployed version of a Roster channel's agent."""
from conversation import Conversation
from livekit.agents import Agent, AgentServer, AgentSession, JobContext, cli, inference
from livekit.agents.beta import EndCallTool
from livekit.agents.llm import function_tool

SPEAKERS = {"user": "caller", "assistant": "agent"}
server = AgentServer()


class Speaker(Agent):
    def __init__(self, instructions: str, conversation: Conversation) -> None:
        super().__init__(instructions=instructions, tools=[EndCallTool()])
        self.conversation = conversation

    @function_tool
    async def record_goal(self, goal: str, reached: bool) -> str:
        """Record whether a goal of the conversation was reached."""
        self.conversation.goals[goal] = reached
        return "Recorded."


@server.rtc_session()
async def answer(ctx: JobContext) -> None:
    caller = await ctx.wait_for_participant()
    call_id = caller.attributes.get("sip.callID", caller.sid)
    conversation = Conversation(call_id, caller.attributes.get("sip.phoneNumber"))
    instructions = await conversation.start()
    # The version's config chooses the models, so a deploy or a rollback changes them, too.
    session = AgentSession(
        stt=inference.STT(conversation.config.get("stt", "deepgram/nova-3")),
        llm=inference.LLM(conversation.config.get("llm", "openai/gpt-4.1-mini")),
        tts=inference.TTS(conversation.config.get("tts", "cartesia/sonic-3")),
    )

    async def report() -> None:
        said = [(SPEAKERS.get(each.role), each.text_content) for each in session.history.messages()]
        await conversation.end([(speaker, text) for speaker, text in said if speaker and text])

    # The worker waits for this before its process ends.
    ctx.add_shutdown_callback(report)
    session.on("close", lambda _: ctx.shutdown("The conversation has ended."))
    await session.start(agent=Speaker(instructions, conversation), room=ctx.room)
    conversation.answered()


if __name__ == "__main__":
    cli.run_app(server)
