import * as s from '../../lib/schemas.ts';
import * as v from '../../lib/validation.ts';
import { renderBody } from '../agents/render.schema.ts';
import { MAX_URL_LENGTH } from '../webhooks/webhook.url.ts';

const MAX_MESSAGES = 200;
const MAX_MESSAGE = 10_000;
/** A reply has at most the 64 KB of its response. */
const MAX_REPLY = 65_536;
/** Characters of a header's value. */
const KEY = /^[\x21-\x7e]+$/;

const model = v.text({ min: 1, max: 200, schema: { examples: ['gpt-4.1-mini'] } });

export const chatModelBody = v.object(
  {
    url: v.text({
      min: 1,
      max: MAX_URL_LENGTH,
      schema: {
        description: 'The base URL of an OpenAI-compatible API. Chats go to `/chat/completions` below it.',
        examples: ['https://api.example.com/v1'],
      },
    }),
    model,
    api_key: v.described(
      v.nullable(
        v.text({
          min: 1,
          max: 512,
          schema: { pattern: KEY.source },
          check: (key) => (KEY.test(key) ? undefined : 'must have only visible ASCII characters.'),
        }),
      ),
      'Sent as a bearer token, and never shown again. Without it the stored one stays, as long as the URL is the same. `null` sends none.',
    ),
  },
  { title: 'ChatModelInput', required: ['url', 'model'] },
);
export type ChatModelInput = ReturnType<typeof chatModelBody.read>;

const chatModel = s.object('ChatModel', {
  url: s.string(),
  model: s.string(),
  has_key: s.boolean('Whether a key is stored.'),
});
export const chatModelResponse = s.orNull(chatModel, '`null` while chats are off.');

const message = v.object(
  { role: v.oneOf(['user', 'assistant']), content: v.text({ max: MAX_REPLY }) },
  { title: 'ChatMessageInput', required: ['role', 'content'] },
);

const { contact_id, variables, instructions } = renderBody.fields;

export const chatBody = v.object(
  {
    contact_id,
    variables,
    instructions,
    history: v.listOf(v.nested(message), { max: MAX_MESSAGES, description: 'What was said before.' }),
    message: v.described(v.text({ min: 1, max: MAX_MESSAGE }), 'What the model answers.'),
  },
  { title: 'ChatInput', required: ['contact_id', 'message'] },
);

export const chatResponse = s.object('ChatReply', {
  reply: s.nullableString('What the model says; `null` if it failed.'),
  error: s.nullableString('Why there is no reply, and what to do.'),
  duration_ms: s.count('How long the model took.'),
});
