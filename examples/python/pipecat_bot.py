"""A Pipecat bot that answers phone calls as the deployed version of a Roster channel's agent."""
from os import environ

from conversation import Conversation
from pipecat.audio.vad.silero import SileroVADAnalyzer
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineWorker
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair, LLMUserAggregatorParams
from pipecat.runner.types import RunnerArguments
from pipecat.runner.utils import create_transport
from pipecat.services.cartesia.tts import CartesiaTTSService
from pipecat.services.deepgram.stt import DeepgramSTTService
from pipecat.services.llm_service import FunctionCallParams
from pipecat.services.openai.llm import OpenAILLMService
from pipecat.transports.websocket.fastapi import FastAPIWebsocketParams
from pipecat.workers.runner import WorkerRunner

SPEAKERS = {"user": "caller", "assistant": "agent"}


async def bot(runner_args: RunnerArguments) -> None:
    params = FastAPIWebsocketParams(audio_in_enabled=True, audio_out_enabled=True)
    transport = await create_transport(runner_args, {"twilio": lambda: params, "telnyx": lambda: params})
    conversation = Conversation(runner_args.call_data.call_id, runner_args.call_data.from_number)
    instructions = await conversation.start()

    async def record_goal(params: FunctionCallParams, goal: str, reached: bool) -> None:
        """Record whether a goal of the conversation was reached."""
        conversation.goals[goal] = reached
        await params.result_callback("Recorded.")

    context = LLMContext(tools=[record_goal])
    vad = LLMUserAggregatorParams(vad_analyzer=SileroVADAnalyzer())
    user, assistant = LLMContextAggregatorPair(context, user_params=vad)
    prompt = OpenAILLMService.Settings(system_instruction=instructions)
    llm = OpenAILLMService(api_key=environ["OPENAI_API_KEY"], settings=prompt)
    voice = CartesiaTTSService.Settings(voice=environ["CARTESIA_VOICE"])
    tts = CartesiaTTSService(api_key=environ["CARTESIA_API_KEY"], settings=voice)
    stt = DeepgramSTTService(api_key=environ["DEEPGRAM_API_KEY"])
    runner = WorkerRunner(handle_sigint=runner_args.handle_sigint)
    stages = [transport.input(), stt, user, llm, tts, transport.output(), assistant]
    await runner.add_workers(PipelineWorker(Pipeline(stages)))

    @transport.event_handler("on_client_disconnected")
    async def on_client_disconnected(transport, client) -> None:
        await runner.cancel()

    conversation.answered()
    await runner.run()
    said = [(SPEAKERS.get(each["role"]), each.get("content")) for each in context.get_messages()]
    await conversation.end([(speaker, text) for speaker, text in said if speaker and text])


if __name__ == "__main__":
    from pipecat.runner.run import main

    main()
