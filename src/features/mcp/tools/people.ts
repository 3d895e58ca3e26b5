import { ApiError, invalidField } from '../../../lib/errors.ts';
import * as v from '../../../lib/validation.ts';
import { assertMayFilter } from '../../contacts/contact.filters.ts';
import {
  type Contact,
  contactFields,
  contactQuery,
  filterFields,
  laterTexts,
  MAX_TAGS,
  nameOf,
  profile,
  tag,
} from '../../contacts/contact.schema.ts';
import { getContact } from '../../contacts/contact.service.ts';
import { tagContacts } from '../../contacts/contact.tags.ts';
import { getContactByPhone, upsertContact } from '../../contacts/contact.upsert.ts';
import { filterArgument } from '../../contacts/filter.tree.ts';
import { filterContacts } from '../../contacts/list.service.ts';
import { fieldValues } from '../../fields/field.schema.ts';
import { type TimelineKind, timelineKinds } from '../../timeline/timeline.schema.ts';
import { getContactTimeline, kindScopes } from '../../timeline/timeline.service.ts';
import { isKeyWithout, type Principal } from '../../workspaces/principal.ts';
import { textRange } from '../answer.ts';
import { argumentsOf, id, listAnswer, pick, plural, READ, REPLACE, tool } from '../tool.ts';
import { CALL_FIELDS } from './activity.ts';

const fieldNames = [...contactFields, ...laterTexts, 'fields'] as const;
const SUMMARY_FIELDS = ['id', 'phone_number', 'company', 'tags'] as const;

/** A person in a list: a few fields, and others on request. */
const summaryOf = (contact: Contact, fields: readonly string[]) => ({
  name: nameOf(contact),
  ...pick(contact, [...new Set([...SUMMARY_FIELDS, ...(fields as (keyof Contact)[])])]),
});

const people = ['person', 'people'] as const;

export const findPeople = tool({
  name: 'find_people',
  title: 'Find people',
  description:
    'Searches contacts by name, phone number, email, tag or company, or by conditions on any attribute and field. Without filters it lists all, newest first. Returns id, name, phone number, company and tags; name other fields in `fields`.',
  scope: 'contacts:read',
  hints: READ,
  input: v.object({
    ...argumentsOf({ fields: filterFields }, 'search', 'tag', 'company', 'segment'),
    filter: { ...filterFields.filter, schema: filterArgument },
    fields: v.described(
      v.uniqueStrings(v.oneOf(fieldNames), fieldNames.length),
      'Additional fields to return, for example email, notes or last_contact_at; `fields` are the values of the workspace’s own fields.',
    ),
    ...argumentsOf(contactQuery, 'limit', 'offset'),
  }),
  run: async ({ storage, principal }, { fields = [], ...query }) => {
    assertMayFilter(principal, query);
    const include = [...laterTexts, 'fields' as const].filter((name) => fields.includes(name)).join(',');
    const page = await storage.run(filterContacts, principal, { ...query, include });
    const show = (contact: Contact) => summaryOf(contact, fields);
    return listAnswer('find_people', people, { ...page, ...query }, show);
  },
});

const NOTES_BYTES = 2_000;
const HISTORY_LENGTH = 20;

/** An entry of a timeline without what is empty. */
const historyOf = ({
  call,
  ...entry
}: Awaited<ReturnType<typeof getContactTimeline>>['entries'][number]) => ({
  history: {
    ...pick(entry, ['at', 'kind', 'action', 'actor', 'source', 'fields', 'tags', 'enrollment']),
    ...(call && { call: pick(call, CALL_FIELDS) }),
  },
});

/** The kinds of history that the key may not read. */
const hiddenFrom = (principal: Principal): string => {
  const hidden = Object.entries(kindScopes).filter(([, scope]) => isKeyWithout(principal, scope));
  const names = hidden.map(([kind, scope]) => `${kind} (needs the scope ${scope})`).join(', ');
  return names && ` Not shown: ${names}.`;
};

const phoneNumber = v.described(
  v.text({ min: 1, max: 32 }),
  'The phone number in E.164, for example +14155550100.',
);

export const getPerson = tool({
  name: 'get_person',
  title: 'Get a person with history',
  description:
    'One contact by id or by phone number, with the latest calls, messages, campaign enrollments and changes as far as the key may read them.',
  scope: 'contacts:read',
  hints: READ,
  input: v.object({
    id: id('The id of the contact (contact_…). Send this or phone_number.'),
    phone_number: phoneNumber,
    history: v.described(
      v.uniqueStrings(v.oneOf(timelineKinds), timelineKinds.length),
      'Kinds of history to include. Default: all that the key may read. Send [] for none.',
    ),
    notes_from: v.queryInteger(0, 2_000, 0, {
      description: 'Long notes are shown in parts. The position of the first character to show.',
    }),
  }),
  run: async ({ storage, principal }, { id: contactId, phone_number, history, notes_from = 0 }) => {
    if ((contactId === undefined) === (phone_number === undefined))
      throw invalidField('id', 'Send exactly one of id and phone_number.');
    const include = [...laterTexts, 'fields'].join(',');
    const { json } = contactId
      ? await storage.run(getContact, principal, { id: contactId, include })
      : await storage.run(getContactByPhone, principal, { phone: phone_number as string, include });
    const contact = JSON.parse(json) as Contact;
    const notes = contact.notes ?? '';
    const { part, end } = textRange(notes, notes_from, NOTES_BYTES);
    const query = {
      id: contact.id,
      limit: HISTORY_LENGTH,
      ...(history && { kinds: history as TimelineKind[] }),
    };
    const { entries, next_cursor } =
      history?.length === 0
        ? { entries: [], next_cursor: null }
        : await storage.run(getContactTimeline, principal, query);
    const rest = end < notes.length ? ` The notes continue: call get_person with notes_from ${end}.` : '';
    return {
      summary: `Contact ${contact.id}.${rest}${history ? '' : hiddenFrom(principal)}`,
      records: [{ person: { ...contact, notes: part || null } }, ...entries.map(historyOf)],
      more: (shown) =>
        shown <= entries.length || next_cursor
          ? 'The history is incomplete here. Request some kinds of it with `history`.'
          : undefined,
    };
  },
});

export const savePerson = tool({
  name: 'save_person',
  title: 'Create or update a person',
  description:
    'Creates the contact with this phone number, or updates the one that has it. Fields that are not sent stay as they are, null clears a text, tags replaces all tags (use tag_people to add or remove some), and fields is merged by key.',
  scope: 'contacts:write',
  hints: REPLACE,
  input: v.object(
    {
      ...profile,
      fields: fieldValues,
      phone_number: phoneNumber,
    },
    { required: ['phone_number'] },
  ),
  run: async ({ storage, principal }, { phone_number, ...fields }) => {
    const saved = await storage.run(upsertContact, principal, { phone: phone_number, source: 'api', fields });
    const stored = JSON.parse(saved.json) as Contact;
    const sent = { ...fields, id: saved.id, phone_number, updated_at: stored.updated_at } as Contact;
    const contact = isKeyWithout(principal, 'contacts:read') ? sent : stored;
    return {
      summary: `${saved.isNew ? 'Created' : 'Updated'} contact ${saved.id}.`,
      records: [summaryOf(contact, [])],
      structured: { ...pick(contact, ['id', 'phone_number', 'updated_at']), created: saved.isNew },
    };
  },
});

const MAX_TAGGED = 100;
const tags = (description: string) => v.uniqueStrings(tag, MAX_TAGS, { description });

export const tagPeople = tool({
  name: 'tag_people',
  title: 'Tag people',
  description:
    'Adds tags to contacts and removes tags from them, in one transaction. Other tags stay. Repeating a call changes nothing.',
  scope: 'contacts:write',
  hints: REPLACE,
  input: v.object(
    {
      ids: v.uniqueStrings(v.text({ min: 1, max: 64 }), MAX_TAGGED, {
        description: `Contact ids, at most ${MAX_TAGGED}. find_people returns them.`,
      }),
      add: tags('Tags to add after the existing ones.'),
      remove: tags('Tags to remove.'),
    },
    { required: ['ids'] },
  ),
  run: async ({ storage, principal }, change) => {
    const { changed, missing, blocked } = await storage.run(tagContacts, principal, change);
    if (missing === change.ids.length)
      throw new ApiError('NOT_FOUND', 'No such contact in this workspace. None of the ids matches.');
    const problems = missing > 0 ? ` ${plural(missing, 'id')} matched no contact.` : '';
    return {
      summary: `Changed the tags of ${plural(changed, ...people)}.${problems}`,
      ...(blocked.length > 0 && { records: blocked }),
      structured: { changed, missing, blocked: blocked.length },
    };
  },
});
