import { invalidField } from '../../lib/errors.ts';
import type { Scalar } from '../../lib/validation.ts';

/* The variables of an enrollment: values for the instructions that belong to this contact in this campaign. */

export type Variables = Readonly<Record<string, Scalar>>;
/** Null removes a variable. */
export type VariableChange = Readonly<Record<string, Scalar | null>>;

const MAX_BYTES = 8_192;

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
