import { pickColumns } from '../../db/statement.ts';
import type { Problem } from '../../lib/errors.ts';
import type { ContactFacts, LockedContact } from '../contacts/contact.bulk.ts';
import { MAX_TAGS, profileTexts } from '../contacts/contact.schema.ts';
import type { ImportOptions, Verdict } from './import.schema.ts';

export type Changes = Partial<ContactFacts>;

export const factsOf = (contact: LockedContact): ContactFacts => ({
  phone_number: contact.phone_number,
  phone_identity: contact.phone_identity,
  phone_conflict: contact.phone_conflict,
  ...pickColumns(contact, profileTexts),
  tags: JSON.parse(contact.tags) as string[],
});

/** The values that an import replaced and the `updated_at` of the contact before it, stored for an undo. */
export type PreviousFacts = { facts: Changes; since: string };

export const previousFactsJson = (contact: LockedContact, changes: Changes): string => {
  const facts = factsOf(contact);
  const names = Object.keys(changes) as (keyof ContactFacts)[];
  const former: PreviousFacts = {
    facts: Object.fromEntries(names.map((name) => [name, facts[name]])),
    since: contact.updated_at,
  };
  return JSON.stringify(former);
};

const nextTags = (stored: string[], row: string[], rule: ImportOptions['tags']): string[] =>
  rule === 'replace' ? row : [...new Set([...stored, ...row])];

/** The verdict on a row, given the contact that has its number, and the changes it makes. An empty cell clears nothing. */
export const decide = (
  stored: ContactFacts | undefined,
  row: ContactFacts,
  { on_existing, on_invalid, tags }: ImportOptions,
): { verdict: Verdict; changes: Changes; problem?: Problem | undefined } => {
  if (!stored) return { verdict: 'create', changes: row };
  if (on_existing === 'skip') return { verdict: 'unchanged', changes: {} };
  const changes: Changes = {};
  let problem: Problem | undefined;
  for (const field of profileTexts) {
    const value = row[field];
    const mayChange = on_existing === 'overwrite' || stored[field] === null || stored[field] === '';
    if (value !== null && value !== stored[field] && mayChange) changes[field] = value;
  }
  if (row.tags.length > 0) {
    const next = nextTags(stored.tags, row.tags, tags);
    if (next.length > MAX_TAGS) {
      const message = `would be ${next.length} in total; the maximum is ${MAX_TAGS}.`;
      problem = { field: 'tags', message };
      if (on_invalid !== 'omit_field') return { verdict: 'invalid', changes: {}, problem };
    } else if (JSON.stringify(next) !== JSON.stringify(stored.tags)) changes.tags = next;
  }
  return { verdict: Object.keys(changes).length > 0 ? 'update' : 'unchanged', changes, problem };
};
