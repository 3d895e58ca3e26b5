import { SentJson } from '../../lib/json.ts';
import * as s from '../../lib/schemas.ts';
import { isStorable } from '../../lib/text.ts';
import * as v from '../../lib/validation.ts';
import { agentUpdate, deploymentStatuses, versionField } from './agent.schema.ts';

const MAX_BYTES = 65_536;

/** What cannot be stored and returned, or has no canonical form. */
export const unstorableIn = (value: unknown): string | undefined => {
  if (typeof value === 'string')
    return isStorable(value) ? undefined : 'must not contain U+0000 or half of a surrogate pair.';
  if (typeof value === 'number')
    return Number.isFinite(value)
      ? undefined
      : 'must not contain a number beyond 1.8e308. Send it as a string.';
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, each] of Object.entries(value)) {
    const problem = unstorableIn(name) ?? unstorableIn(each);
    if (problem) return problem;
  }
  return undefined;
};

const sentOf = (value: unknown) =>
  value instanceof SentJson ? value : new SentJson(JSON.stringify(value) ?? '', value);

/** A JSON object that is stored as it was sent. The arguments of tools have no text of their own. */
const sentObject = (description: string): v.Field<SentJson> =>
  v.checked(
    { type: 'object', additionalProperties: {}, description },
    (given) => {
      const { text, value } = sentOf(given);
      if (!v.isObject(value)) return 'must be a JSON object.';
      const size = Buffer.byteLength(text);
      if (size > MAX_BYTES) return `must have at most ${MAX_BYTES} bytes (64 KiB); this has ${size}.`;
      return unstorableIn(value);
    },
    sentOf,
  );

const note = v.nullable(
  v.text({ max: 500, schema: { description: 'What changed, and why.', examples: ['A faster voice'] } }),
);

export const versionCreate = v.object(
  {
    instructions: agentUpdate.fields.instructions,
    config: sentObject(
      'What else the runtime needs, such as model, voice and tools. At most 64 KiB, stored and returned byte for byte. Name secrets as `$secret:name`.',
    ),
    note,
    based_on: versionField(
      'The version, by id or label, whose instructions and config are copied where the request has none; if omitted, the newest.',
    ),
  },
  { title: 'VersionCreate' },
);
export type VersionCreate = ReturnType<typeof versionCreate.read>;

export const configSchemaReplace = v.object(
  { schema: sentObject('A JSON Schema (draft 2020-12) of at most 64 KiB. `$ref` only within it.') },
  { title: 'ConfigSchemaInput', required: ['schema'] },
);

const anyObject: s.JsonSchema = { type: 'object', additionalProperties: {} };

export const configProperties: Record<string, s.JsonSchema> = {
  config_sha256: s.string('The SHA-256 of the canonical form (RFC 8785) of `config`, in hexadecimal digits.'),
  config: { ...anyObject, description: 'As it was sent, byte for byte; `{}` if there is none.' },
};

export const configSchemaResponse = s.object('ConfigSchema', {
  schema: s.orNull(anyObject, 'As it was sent, byte for byte; `null` if there is none.'),
});

export const summaryProperties: Record<string, s.JsonSchema> = {
  id: s.string(),
  version_label: s.string(),
  deployment_status: s.oneOf(deploymentStatuses),
  created_at: s.dateTime('When the version was created.'),
};

export const writtenVersion = s.object('WrittenVersion', {
  ...summaryProperties,
  note: s.nullableString('What changed, and why.'),
  config_sha256: configProperties.config_sha256 as s.JsonSchema,
});

const value = { description: 'Any JSON value.' };

const configChange = s.object(
  'ConfigChange',
  {
    path: s.string('A JSON Pointer, such as `/model/temperature`.'),
    change: s.oneOf(['added', 'removed', 'changed']),
  },
  { before: value, after: value },
);

export const configDifference = s.object('ConfigDiff', {
  changes: s.list(configChange),
});
