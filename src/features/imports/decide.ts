import type { Problem } from '../../lib/errors.ts';
import { type ContactFacts, factTexts, type LockedContact } from '../contacts/contact.bulk.ts';
import { MAX_TAGS } from '../contacts/contact.schema.ts';
import type { ImportOptions, Verdict } from './import.schema.ts';

export type Changes = Partial<ContactFacts>;

/** The facts of a contact that is stored. */
export const factsOf = (held: LockedContact): ContactFacts => ({
  phone_number: held.phone_number,
  phone_identity: held.phone_identity,
  phone_conflict: held.phone_conflict,
  first_name: held.first_name,
  last_name: held.last_name,
  display_name: held.display_name,
  email: held.email,
  company: held.company,
  notes: held.notes,
  tags: JSON.parse(held.tags) as string[],
});

/** What the changed facts were before and since when, so that an undo can put them back. */
export type Former = { facts: Changes; since: string };

export const formerOf = (held: LockedContact, changes: Changes): string => {
  const facts = factsOf(held);
  const names = Object.keys(changes) as (keyof ContactFacts)[];
  const former: Former = {
    facts: Object.fromEntries(names.map((name) => [name, facts[name]])),
    since: held.updated_at,
  };
  return JSON.stringify(former);
};

const nextTags = (stored: string[], told: string[], rule: ImportOptions['tags']): string[] =>
  rule === 'replace' ? told : [...new Set([...stored, ...told])];

/** What a row of a file does to the contact that has its number, and what of the row is left out. A cell that is empty says nothing, so it clears nothing. */
export const decide = (
  stored: ContactFacts | undefined,
  told: ContactFacts,
  { on_existing, on_invalid, tags }: ImportOptions,
): { verdict: Verdict; changes: Changes; problem?: Problem | undefined } => {
  if (!stored) return { verdict: 'create', changes: told };
  if (on_existing === 'skip') return { verdict: 'unchanged', changes: {} };
  const changes: Changes = {};
  let problem: Problem | undefined;
  for (const field of factTexts) {
    const value = told[field];
    const mayChange = on_existing === 'overwrite' || stored[field] === null || stored[field] === '';
    if (value !== null && value !== stored[field] && mayChange) changes[field] = value;
  }
  if (told.tags.length > 0) {
    const next = nextTags(stored.tags, told.tags, tags);
    if (next.length > MAX_TAGS) {
      const message = `would be ${next.length} with those that the contact has; the most is ${MAX_TAGS}.`;
      problem = { field: 'tags', message };
      if (on_invalid !== 'omit_field') return { verdict: 'invalid', changes: {}, problem };
    } else if (JSON.stringify(next) !== JSON.stringify(stored.tags)) changes.tags = next;
  }
  return { verdict: Object.keys(changes).length > 0 ? 'update' : 'unchanged', changes, problem };
};
