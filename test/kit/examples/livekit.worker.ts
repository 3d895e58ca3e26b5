import { fileURLToPath } from 'node:url';
import { cli, defineAgent, type llm, ServerOptions, voice } from '@livekit/agents';
import { answerCalls } from '../../../examples/livekit/agent.ts';

type ChatOptions = Parameters<llm.LLM['chat']>[0];

/** A model that repeats its name and its instructions, and uses a tool if it is told: `use <tool> <arguments as JSON>`. */
class RepeatingModel extends voice.testing.FakeLLM {
  readonly #name: string;
  #instructions = '';

  constructor(name: string) {
    super();
    this.#name = name;
  }

  override chat(options: ChatOptions) {
    const system = options.chatCtx.items.find((item) => item.type === 'message' && item.role === 'system');
    this.#instructions = (system as llm.ChatMessage | undefined)?.textContent ?? '';
    return super.chat(options);
  }

  override lookup(input: string): voice.testing.FakeLLMResponse {
    const [, name, args] = /^use (\w+) (.*)$/.exec(input) ?? [];
    return name
      ? { input, toolCalls: [{ name, args: JSON.parse(args ?? '{}') }] }
      : { input, content: `${this.#name} was told: ${this.#instructions}` };
  }
}

const example = answerCalls(({ llm }) => ({ llm: new RepeatingModel(llm) }));

/** A console ends when its user ends it, and this one when the example has cleaned up. */
export default defineAgent({
  entry: async (ctx) => {
    await example.entry(ctx);
    const callbacks = ctx.shutdownCallbacks.splice(0);
    ctx.addShutdownCallback(async () => {
      await Promise.allSettled(callbacks.map((callback) => callback()));
      process.exit();
    });
  },
});

const file = fileURLToPath(import.meta.url);
if (process.argv[1] === file) cli.runApp(new ServerOptions({ agent: file }));
