import { parseRate, RATE_FORM } from '../../lib/rate-limit.ts';
import type { JsonSchema } from '../../lib/schemas.ts';
import { type KeyScope, keyScopes, type Preset, presets } from '../../lib/scopes.ts';
import * as v from '../../lib/validation.ts';
import { nameField } from './name.ts';

export const rateSchema: JsonSchema = {
  description: 'Requests per interval, such as `600/1m`; units are s, m and h.',
  pattern: '^[1-9][0-9]{0,6}/[1-9][0-9]{0,4}[smh]$',
};
export const presetNames = Object.keys(presets) as Preset[];
/** A single scope in `scope` is a common mistake, so the message names the other field. */
const preset = v.oneOf(presetNames, ' Send other scopes in scopes, for example ["contacts:read"].');
export const keyBody = v.object(
  {
    name: nameField,
    scope: preset,
    scopes: v.uniqueStrings(v.oneOf(keyScopes), keyScopes.length, {
      minItems: 1,
      description: 'Instead of `scope`.',
    }) as v.Field<readonly KeyScope[]>,
    expires_at: v.nullable(v.dateTime()),
    rate_limit: v.nullable(
      v.text({ schema: rateSchema, check: (rate) => (parseRate(rate) ? undefined : `${RATE_FORM}.`) }),
    ),
  },
  {
    title: 'KeyCreate',
    required: ['name'],
    schema: { not: { type: 'object', required: ['scope', 'scopes'], properties: { scope: {}, scopes: {} } } },
    check: ({ scope, scopes }) =>
      scope && scopes
        ? [{ field: 'scopes', message: 'must not be sent together with scope. Send one of them.' }]
        : [],
  },
);
export type NewKey = ReturnType<typeof keyBody.read>;
