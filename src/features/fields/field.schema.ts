import * as v from '../../lib/validation.ts';
import { type FieldValue, KEY_PATTERN } from './field.values.ts';

export const MAX_FIELDS = 100;

const KEY = new RegExp(KEY_PATTERN);

/** How a field is named. */
export const key = v.text({
  schema: { pattern: KEY_PATTERN, examples: ['renewal_date'] },
  check: (text) =>
    KEY.test(text)
      ? undefined
      : 'must be 1 to 40 characters: a to z, 0 to 9 and _, beginning with a letter, for example renewal_date.',
});

const TYPES = ['string', 'number', 'boolean', 'null'];

const value = v.checked<FieldValue | null>({ type: TYPES }, (each) =>
  TYPES.includes(each === null ? 'null' : typeof each)
    ? undefined
    : 'must be a string, a number, true, false, or null to clear it.',
);

/** The values of a request. The operation checks them against the workspace's fields. */
export const fieldValues = v.described(
  v.mapOf(key, value, MAX_FIELDS),
  "Values of the workspace's fields by key. Other fields stay as they are; `null` clears one.",
);
