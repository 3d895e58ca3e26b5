import type { Db } from '../../db/db.ts';
import { ApiError, type Problem } from '../../lib/errors.ts';
import { namesOfChanges } from '../contacts/contact.derived.ts';
import { type ContactUpdate, type ProfileText, profile } from '../contacts/contact.schema.ts';
import { mergeFields } from '../contacts/contact.service.ts';
import { selectContactForUpdate } from '../contacts/contact.store.ts';
import { writeContacts } from '../contacts/contact.write.ts';
import { type Definitions, valuesIn } from '../fields/field.values.ts';
import type { Principal } from '../workspaces/principal.ts';
import type { FieldRule } from './call-settings.schema.ts';
import { isBuiltIn } from './call-settings.service.ts';

/** A change of one field. Throws if the value does not fit. */
const updateOf = (field: string, value: unknown): ContactUpdate => {
  if (!isBuiltIn(field)) return { fields: { [field]: value } } as ContactUpdate;
  const problems: Problem[] = [];
  const text = profile[field as ProfileText].read(value, field, problems);
  if (problems[0]) throw new ApiError('VALIDATION_ERROR', problems[0].message);
  return { [field]: text };
};

const messageOf = ({ details, message }: ApiError): string =>
  (Array.isArray(details) ? details[0]?.message : undefined) ?? message;

/** Copies members of a report's data to fields of the contact. Returns those that could not be written: a value that does not fit is skipped, because the report is right about
 *  the call. `definitions` are locked before the contact. */
export const applyRules = async (
  db: Db,
  principal: Principal,
  {
    contact: id,
    rules,
    data,
    definitions,
  }: {
    contact: string | null;
    rules: readonly FieldRule[];
    data: ReadonlyMap<string, unknown>;
    definitions: Definitions;
  },
): Promise<Problem[]> => {
  if (id === null || rules.length === 0) return [];
  const before = await db.get(selectContactForUpdate, { workspace: principal.workspace, id });
  if (!before) return [];
  const skipped: Problem[] = [];
  let after = before;
  for (const { data: name, field, mode } of rules) {
    const value = data.get(name) ?? null;
    const current = isBuiltIn(field) ? after[field as ProfileText] : valuesIn(after.fields).get(field);
    if (value === null || (mode === 'if_empty' && (current ?? '') !== '')) continue;
    try {
      after = mergeFields(after, updateOf(field, value), definitions);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      skipped.push({ field, message: messageOf(error) });
    }
  }
  if (namesOfChanges(before, after).length > 0)
    await writeContacts(db, principal, [{ before, after }], { isAudited: true });
  return skipped;
};
