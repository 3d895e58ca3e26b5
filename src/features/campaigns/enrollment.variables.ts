import { invalidField } from '../../lib/errors.ts';
import * as v from '../../lib/validation.ts';
import { KEY_PATTERN } from '../fields/field.values.ts';

/* The variables of an enrollment: values for the instructions that belong to this contact in this campaign. */

export type Variables = Readonly<Record<string, v.Scalar>>;
/** Null removes a variable. */
export type VariableChange = Readonly<Record<string, v.Scalar | null>>;

const MAX_VARIABLES = 100;
const MAX_BYTES = 8_192;

const name = v.text({
  schema: { pattern: KEY_PATTERN },
  check: (text) =>
    new RegExp(KEY_PATTERN).test(text)
      ? undefined
      : 'must begin with a letter from a to z, followed by at most 39 letters, digits and underscores.',
});

export const variableMap = v.mapOf(name, v.scalar(2_000), MAX_VARIABLES);

export const parseVariables = (stored: string | null): Variables =>
  stored === null ? {} : JSON.parse(stored);

/** The stored form of variables after a change, sorted by name; null if there are none. */
export const mergeVariables = (stored: string | null, change: VariableChange): string | null => {
  const merged = Object.entries({ ...parseVariables(stored), ...change })
    .filter(([, value]) => value !== null)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  if (merged.length === 0) return null;
  const json = JSON.stringify(Object.fromEntries(merged));
  const size = Buffer.byteLength(json);
  if (size > MAX_BYTES)
    throw invalidField('variables', `must have at most ${MAX_BYTES} bytes as JSON; these have ${size}.`);
  return json;
};
