import * as s from '../../lib/schemas.ts';
import * as v from '../../lib/validation.ts';
import { unstorableIn } from '../agents/config.schema.ts';
import { isWebUrl, KEY, KEY_PATTERN } from '../fields/field.values.ts';

/* What a conversation came to, as its runtime or a later analysis reports it. */

export const speakers = ['agent', 'caller', 'system'] as const;
export type EndedBy = (typeof speakers)[number];

/** The key of a disposition, or of a goal. */
export const resultKey = v.text({
  schema: { pattern: KEY_PATTERN, examples: ['booked'] },
  check: (key) =>
    KEY.test(key)
      ? undefined
      : 'must be 1 to 40 lower-case letters, digits and underscores, and begin with a letter, for example booked.',
});

export const MAX_GOALS = 20;
export const MAX_DATA_BYTES = 16_384;

export const dataSizeProblem = (json: string): string | undefined => {
  const bytes = Buffer.byteLength(json);
  return bytes > MAX_DATA_BYTES
    ? `must have at most ${MAX_DATA_BYTES} bytes as JSON for a call; it would have ${bytes}.`
    : undefined;
};

const data = v.checked<Record<string, unknown>>(
  { type: 'object', description: `At most ${MAX_DATA_BYTES} bytes as JSON.` },
  (value) =>
    v.isObject(value)
      ? (unstorableIn(value) ?? dataSizeProblem(JSON.stringify(value)))
      : 'must be a JSON object.',
);

const recordingUrl = v.text({
  max: 2_000,
  schema: { pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s]+$', examples: ['https://example.com/recordings/7'] },
  check: (url) =>
    isWebUrl(url) ? undefined : 'must be a web address, for example https://example.com/recordings/7.',
});

const amount = v.checked<number>({ type: 'number', minimum: 0 }, (value) =>
  Number.isFinite(value) && (value as number) >= 0 ? undefined : 'must be a number of at least 0.',
);
const currency = v.text({
  schema: { pattern: '^[A-Z]{3}$', examples: ['USD'] },
  check: (code) =>
    /^[A-Z]{3}$/.test(code) ? undefined : 'must be the code of a currency in ISO 4217, for example USD.',
});

/** The result's members of a report. */
export const resultFields = {
  session_id: v.text({
    min: 1,
    max: 128,
    schema: { description: 'The session of the call, as Roster returned it.' },
  }),
  disposition: v.described(resultKey, 'How the call ended, one of the dispositions of the call settings.'),
  goals: v.described(
    v.mapOf(resultKey, v.boolean(), MAX_GOALS),
    `The goals that were reached (\`true\`) or missed (\`false\`), at most ${MAX_GOALS} for a call.`,
  ),
  data: v.described(
    data,
    `What the conversation found out, at most ${MAX_DATA_BYTES} bytes as JSON for a call.`,
  ),
  summary: v.text({ max: 2_000 }),
  ended_by: v.described(v.oneOf(speakers), 'Who ended the conversation.'),
  recording_url: v.described(recordingUrl, 'Where the recording is. Roster only stores the address.'),
  cost: v.nested(v.object({ amount, currency }, { title: 'CallCost', required: ['amount', 'currency'] })),
  text: v.text({ max: 4_096, schema: { description: 'The text of a message, not of a call.' } }),
};

const string = s.string();

/** The result's members of a call. */
export const resultProperties: Record<string, s.JsonSchema> = {
  session_id: s.orNull(
    string,
    'The session that pins the version and the contact; `null` if there was none.',
  ),
  disposition: s.orNull(string),
  goals: s.mapOf(s.boolean(), 'Whether each goal was reached.'),
  ended_by: s.orNull(s.oneOf(speakers)),
  cost: s.orNull(s.object('Cost', { amount: { type: 'number', minimum: 0 }, currency: string })),
  recording_url: s.orNull(string),
  summary: s.orNull(string),
  text: s.orNull(string, 'The text of a message.'),
  data: s.mapOf({}, 'What the conversation found out.'),
};
