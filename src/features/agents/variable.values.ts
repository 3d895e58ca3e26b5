import { invalidField } from '../../lib/errors.ts';
import type { Scalar } from '../../lib/validation.ts';

/* The variables of an enrollment or of a session: values for the instructions that belong to this contact in this campaign, or to this
 * conversation. */

export type Variables = Readonly<Record<string, Scalar>>;
/** Null removes a variable. */
export type VariableChange = Readonly<Record<string, Scalar | null>>;

const MAX_BYTES = 8_192;

export const parseVariables = (stored: string | null): Variables =>
  stored === null ? {} : JSON.parse(stored);

/** What is wrong with variables as JSON, if anything. */
export const variablesProblem = (json: string | null): string | undefined => {
  const size = Buffer.byteLength(json ?? '');
  return size > MAX_BYTES ? `must have at most ${MAX_BYTES} bytes as JSON; these have ${size}.` : undefined;
};

/** Variables as JSON after a change, sorted by name; null if there are none. Their size is not checked. */
export const changedVariables = (stored: string | null, change: VariableChange): string | null => {
  const entries = Object.entries({ ...parseVariables(stored), ...change })
    .filter(([, value]) => value !== null)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return entries.length === 0 ? null : JSON.stringify(Object.fromEntries(entries));
};

export const mergeVariables = (stored: string | null, change: VariableChange): string | null => {
  const json = changedVariables(stored, change);
  const problem = variablesProblem(json);
  if (problem !== undefined) throw invalidField('variables', problem);
  return json;
};
