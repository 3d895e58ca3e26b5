/** A LiveKit worker that answers phone calls as the deployed version of a Roster channel's agent. README.md says how to run it. */
import { fileURLToPath } from 'node:url';
import { cli, defineAgent, inference, type JobContext, llm, ServerOptions, voice } from '@livekit/agents';
import { Channel } from '@roster/client/runtime';
import { z } from 'zod';

/** What this worker reads from the `config` of a version. Roster stores it as it is. */
const Config = z.looseObject({
  llm: z.string().default('openai/gpt-4.1-mini'),
  stt: z.string().default('deepgram/nova-3'),
  tts: z.string().default('cartesia/sonic-3'),
  first_message: z.string().optional(),
  goals: z.array(z.string()).default([]),
  dispositions: z.array(z.string()).default([]),
});

/** The models by which an agent hears, thinks and speaks. */
export type Models = (config: z.infer<typeof Config>) => voice.AgentSessionOptions;

const livekitModels: Models = ({ llm: model, stt, tts }) => ({
  llm: new inference.LLM({ model }),
  stt: new inference.STT({ model: stt }),
  tts: new inference.TTS({ model: tts }),
});

/** The person who calls: a participant over SIP or, in the console, who the environment says. */
const callerIn = async (ctx: JobContext) => {
  if (ctx.isFakeJob) return { id: ctx.job.id, number: process.env.CALLER_NUMBER ?? '+14155550100' };
  const { attributes, sid = '' } = await ctx.waitForParticipant();
  return { id: attributes['sip.callID'] ?? sid, number: attributes['sip.phoneNumber'] ?? '' };
};

export const answerCalls = (models: Models = livekitModels) =>
  defineAgent({
    entry: async (ctx) => {
      const channel = new Channel({
        id: process.env.CHANNEL ?? '',
        secret: process.env.CHANNEL_SECRET ?? '',
        fallback: 'Apologize: the system is not available. Take a message with name and number.',
        onDrop: (event, reason) => console.error('A report was dropped:', event, reason),
      });
      await ctx.connect();
      const { id: provider_id, number } = await callerIn(ctx);
      const call = {
        type: 'call',
        provider_id,
        direction: 'inbound',
        number: number || 'anonymous',
      } as const;

      // One request: who calls, what to say, and which version says it until the call ends.
      const started = await channel
        .session({ provider_id, direction: 'inbound', number })
        .catch(() => undefined);
      const live = started ?? (await channel.agent());
      const text = 'rendered' in live ? live.rendered : live.instructions;
      const parsed = Config.safeParse(live.config);
      // A person is waiting, so a wrong config is no reason to hang up.
      if (!parsed.success) console.error('The defaults are used. The config is wrong:', parsed.error.message);
      const config = parsed.data ?? Config.parse({});
      const pinned = started && { session_id: started.session_id, instructions_sha256: started.sha256 };

      const startedAt = Date.now();
      const result: { goals: Record<string, boolean>; disposition?: string; summary?: string } = {
        goals: {},
      };
      let ended_by: 'agent' | 'caller' = 'caller';
      const tools = {
        ...(config.goals.length > 0 && {
          record_goal: llm.tool({
            description: 'Record whether a goal of the conversation was reached.',
            parameters: z.object({ goal: z.enum(config.goals), reached: z.boolean() }),
            execute: async ({ goal, reached }) => {
              result.goals[goal] = reached;
              return 'Recorded.';
            },
          }),
        }),
        end_call: llm.tool({
          description: 'End the call after saying goodbye, with a summary of it.',
          parameters: z.object({
            summary: z.string(),
            ...(config.dispositions.length > 0 && { disposition: z.enum(config.dispositions) }),
          }),
          execute: async (told) => {
            // The service would refuse a longer summary with the whole result.
            Object.assign(result, told, { summary: [...told.summary].slice(0, 2_000).join('') });
            ended_by = 'agent';
            ctx.shutdown('The agent ended the call.');
          },
        }),
      };

      // The worker waits for this before its process ends.
      ctx.addShutdownCallback(async () => {
        const seconds = Math.round((Date.now() - startedAt) / 1000);
        void channel.report({ ...call, ...pinned, status: 'completed', seconds, ended_by });
        // On its own, so that a result which the workspace does not accept leaves the end alone.
        void channel.report({ ...call, ...pinned, ...result });
        for (const event of await channel.close()) console.error('Not reported:', JSON.stringify(event));
      });

      const session = new voice.AgentSession(models(config));
      session.on(voice.AgentSessionEventTypes.Close, () => ctx.shutdown('The conversation has ended.'));
      await session.start({ agent: new voice.Agent({ instructions: text, tools }), room: ctx.room });
      void channel.report({ ...call, ...pinned, status: 'in_progress' });
      if (config.first_message) session.say(config.first_message);
    },
  });

export default answerCalls();

const file = fileURLToPath(import.meta.url);
if (process.argv[1] === file) {
  const missing = ['ROSTER_URL', 'CHANNEL', 'CHANNEL_SECRET'].filter((name) => !process.env[name]);
  if (missing.length > 0) throw new Error(`Set ${missing.join(', ')}.`);
  cli.runApp(new ServerOptions({ agent: file }));
}
