import { MAX_TAGS } from '../contacts/contact.schema.ts';
import type { ContactRow } from '../contacts/contact.store.ts';
import {
  changedValues,
  type Definitions,
  type FieldValue,
  readValue,
  type SentValues,
  sizeProblem,
  valuesIn,
  withValues,
} from '../fields/field.values.ts';

/** What a bulk job has changed in a contact, for an undo. A tag that is both removed and added was moved. */
export interface Former {
  readonly added?: string[];
  /** The removed tags with the positions where they stood. */
  readonly removed?: [tag: string, at: number][];
  /** The values before and after the job; null for none. */
  readonly fields?: Record<string, [before: FieldValue | null, after: FieldValue | null]>;
  /** When the job enrolled the contact. */
  readonly enrolled?: string;
}

type Changed = Pick<ContactRow, 'tags' | 'fields'>;

/** The tags that must be removed and added so that those before become those after. A rename can move one that was there. */
const changedTags = (before: readonly string[], after: readonly string[]): Former => {
  const kept = after.filter((tag) => before.includes(tag));
  const isMoved = before.filter((tag) => after.includes(tag)).some((tag, at) => kept[at] !== tag);
  const stays = (tag: string) => !isMoved && before.includes(tag) && after.includes(tag);
  return {
    added: after.filter((tag) => !stays(tag)),
    removed: before.flatMap((tag, at): [string, number][] => (stays(tag) ? [] : [[tag, at]])),
  };
};

export const formerOf = (before: Changed, after: Changed): Former => {
  const values = changedValues(before.fields, after.fields);
  return {
    ...(before.tags !== after.tags && changedTags(JSON.parse(before.tags), JSON.parse(after.tags))),
    ...(values.length > 0 && {
      fields: Object.fromEntries(values.map((each) => [each.key, [each.before ?? null, each.after ?? null]])),
    }),
  };
};

/** A contact's tags and values after an undo. What someone has changed since stays, and makes it incomplete. */
interface Restored {
  readonly tags: readonly string[];
  readonly fields: string;
  readonly isComplete: boolean;
}

const restoredTags = (now: readonly string[], { added = [], removed = [] }: Former) => {
  const tags = now.filter((tag) => !added.includes(tag));
  /** A tag that the job moved returns only if it is still there, and one that it removed only if it is not. */
  const returns = (tag: string) => added.includes(tag) === now.includes(tag);
  for (const [tag, at] of removed) if (returns(tag)) tags.splice(at, 0, tag);
  const isSame = added.every((tag) => now.includes(tag)) && removed.every(([tag]) => returns(tag));
  return tags.length > MAX_TAGS ? { tags: now, isSame: false } : { tags, isSame };
};

/** Values of archived fields stay, and those of a field that was erased must not come back in a new one with its key. */
const restoredValues = (
  json: string,
  { fields = {} }: Former,
  { definitions, since }: { readonly definitions: Definitions; readonly since: string },
) => {
  const now = valuesIn(json);
  const entries = Object.entries(fields).filter(([key, [before, after]]) => {
    const field = definitions.get(key);
    if (!field || field.archived_at !== null || (now.get(key) ?? null) !== after) return false;
    return before === null || (field.created_at <= since && 'value' in readValue(field, before));
  });
  const values: SentValues = Object.fromEntries(entries.map(([key, [before]]) => [key, before]));
  const restored = entries.length > 0 ? withValues(json, values) : json;
  const isSame = entries.length === Object.keys(fields).length;
  return sizeProblem(restored) === undefined ? { json: restored, isSame } : { json, isSame: false };
};

/** `since` is when the job was created. */
export const restored = (
  contact: Changed,
  former: Former,
  context: { readonly definitions: Definitions; readonly since: string },
): Restored => {
  const { tags, isSame } = restoredTags(JSON.parse(contact.tags), former);
  const values = restoredValues(contact.fields, former, context);
  return { tags, fields: values.json, isComplete: isSame && values.isSame };
};
