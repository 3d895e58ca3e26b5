import { pickColumns } from '../../db/statement.ts';
import type { Problem } from '../../lib/errors.ts';
import { variablesProblem } from '../agents/variable.values.ts';
import { countCrmIds, crmIdOf, withCrmId } from '../contacts/contact.crm.ts';
import type { ContactFacts, LockedContact } from '../contacts/contact.lookup.ts';
import { MAX_CRM_IDS, MAX_TAGS, profileTexts } from '../contacts/contact.schema.ts';
import { changedRow } from '../contacts/contact.service.ts';
import type { ChangedContact } from '../contacts/contact.write.ts';
import {
  type FieldValue,
  type FieldValues,
  type SentValues,
  sizeProblem,
  withValues,
} from '../fields/field.values.ts';
import type { ImportOptions, Verdict } from './import.schema.ts';
import type { ImportedFacts } from './merge.ts';

/** `fields` are only those that change. */
export type Changes = Partial<Omit<ImportedFacts, 'variables'>>;

/** What the contact of a row has, as far as an import can change it. */
interface ExistingFacts extends Omit<ImportedFacts, 'variables'> {
  /** How many other CRMs have an id for the contact. */
  crm_others: number;
}

export const factsOf = (contact: LockedContact, crm: string | null = null): ExistingFacts => {
  const crm_id = crm === null ? null : crmIdOf(contact.crm_ids, crm);
  return {
    ...pickColumns(contact, ['phone_number', 'phone_identity', 'phone_conflict', ...profileTexts]),
    tags: JSON.parse(contact.tags) as string[],
    crm_id,
    fields: contact.fields === '{}' ? null : (JSON.parse(contact.fields) as FieldValues),
    crm_others: crm === null ? 0 : countCrmIds(contact.crm_ids) - (crm_id === null ? 0 : 1),
  };
};

/** The values that an import replaced, stored for an undo. */
export interface PreviousFacts {
  facts: Partial<ContactFacts>;
  /** The id of the contact in a CRM, before and after the import. */
  crm?: { name: string; before: string | null; after: string };
  fields?: SentValues;
  /** When the import enrolled the contact in its campaign. */
  enrolled?: string;
}

/** When the import enrolled the contact of an applied row. */
export const enrolledAt = ({ former }: { readonly former: string | null }): string | undefined =>
  former === null ? undefined : (JSON.parse(former) as PreviousFacts).enrolled;

export const previousFactsJson = (
  contact: LockedContact,
  { crm_id, fields, ...changes }: Changes,
  crm: string | null = null,
): string => {
  const facts = factsOf(contact, crm);
  const names = Object.keys(changes) as (keyof ContactFacts)[];
  const former: PreviousFacts = {
    facts: Object.fromEntries(names.map((name) => [name, facts[name]])),
    ...(crm !== null && crm_id && { crm: { name: crm, before: facts.crm_id, after: crm_id } }),
    ...(fields && {
      fields: Object.fromEntries(Object.keys(fields).map((key) => [key, facts.fields?.[key] ?? null])),
    }),
  };
  return JSON.stringify(former);
};

/** A contact with the changes of a row. */
export const withChanges = (
  before: LockedContact,
  { crm_id, fields: values, ...changes }: Changes,
  crm: string | null = null,
): ChangedContact => {
  const crm_ids = crm !== null && crm_id ? withCrmId(before.crm_ids, crm, crm_id) : before.crm_ids;
  const fields = values ? withValues(before.fields, values) : before.fields;
  return { before, after: changedRow(before, { ...changes, crm_ids, fields }) };
};

const nextTags = (stored: string[], row: string[], rule: ImportOptions['tags']): string[] =>
  rule === 'replace' ? row : [...new Set([...stored, ...row])];

const pickValues = (values: FieldValues | null, keys: readonly string[]): FieldValues =>
  Object.fromEntries(
    keys.flatMap((key): [string, FieldValue][] => (values?.[key] === undefined ? [] : [[key, values[key]]])),
  );

/** The values that an applied row has written, given those that it replaced. */
export const writtenFacts = (
  { facts, crm, fields }: PreviousFacts,
  reading: ImportedFacts,
  options: Pick<ImportOptions, 'tags'>,
): Changes => {
  const after: Changes = {};
  for (const field of profileTexts) if (field in facts) after[field] = reading[field];
  if (facts.tags) after.tags = nextTags(facts.tags, reading.tags, options.tags);
  if (crm) after.crm_id = crm.after;
  if (fields) after.fields = pickValues(reading.fields, Object.keys(fields));
  return after;
};

export interface Decision {
  verdict: Verdict;
  changes: Changes;
  problem?: Problem | undefined;
}

/** The verdict on a row, given the contact that has its number, and the changes it makes. An empty cell clears nothing. */
export const decide = (
  stored: ExistingFacts | undefined,
  row: ImportedFacts,
  { on_existing, on_invalid, tags }: ImportOptions,
): Decision => {
  let problem: Problem | undefined;
  const refused = (): Decision => ({ verdict: 'invalid', changes: {}, problem });
  const tooLarge = row.variables ? variablesProblem(JSON.stringify(row.variables)) : undefined;
  if (tooLarge !== undefined) {
    problem = { field: 'variables', message: tooLarge };
    return refused();
  }
  if (!stored) return { verdict: 'create', changes: row };
  if (on_existing === 'skip') return { verdict: 'unchanged', changes: {} };
  const changes: Changes = {};
  /** Whether the row is imported without the value. */
  const omits = (field: string, message: string): boolean => {
    problem = { field, message };
    return on_invalid === 'omit_field';
  };
  const mayChange = (value: string | null) => on_existing === 'overwrite' || value === null || value === '';
  for (const field of profileTexts) {
    const value = row[field];
    if (value !== null && value !== stored[field] && mayChange(stored[field])) changes[field] = value;
  }
  if (row.tags.length > 0) {
    const next = nextTags(stored.tags, row.tags, tags);
    if (next.length > MAX_TAGS) {
      if (!omits('tags', `would be ${next.length} in total; the maximum is ${MAX_TAGS}.`)) return refused();
    } else if (JSON.stringify(next) !== JSON.stringify(stored.tags)) changes.tags = next;
  }
  if (row.crm_id !== null && row.crm_id !== stored.crm_id && mayChange(stored.crm_id)) {
    if (stored.crm_others < MAX_CRM_IDS) changes.crm_id = row.crm_id;
    else if (!omits('crm_ids', `must have at most ${MAX_CRM_IDS} entries in total.`)) return refused();
  }
  const keys = (row.fields ? Object.keys(row.fields) : []).filter((key) => {
    const [now, next] = [stored.fields?.[key], row.fields?.[key]];
    return now !== next && (on_existing === 'overwrite' || now === undefined || now === '');
  });
  if (keys.length > 0) {
    const fields = pickValues(row.fields, keys);
    const message = sizeProblem(JSON.stringify({ ...stored.fields, ...fields }));
    if (message === undefined) changes.fields = fields;
    else if (!omits('fields', message)) return refused();
  }
  return { verdict: Object.keys(changes).length > 0 ? 'update' : 'unchanged', changes, problem };
};
