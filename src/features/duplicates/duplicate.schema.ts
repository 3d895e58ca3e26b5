import * as s from '../../lib/schemas.ts';
import * as v from '../../lib/validation.ts';
import { duplicateReasons, strengths } from './duplicate.keys.ts';

export const duplicateQuery = v.object({
  reason: v.described(v.oneOf(duplicateReasons), 'Only groups of this reason.'),
  strength: v.described(v.oneOf(strengths), 'Only groups of this strength.'),
  contact_id: v.described(v.text({ max: 100 }), 'Only groups of this contact.'),
  dismissed: v.described(
    v.oneOf(['true', 'false']),
    '`true` lists the groups whose contacts are all dismissed as different people, instead of the others.',
  ),
  limit: v.queryInteger(1, 100, 20, { description: 'Maximum number of groups.' }),
  cursor: v.described(v.text({ max: 500 }), 'The `next_cursor` of the previous page, with the same filters.'),
});
export type DuplicateQuery = ReturnType<typeof duplicateQuery.read>;

export const duplicateSchema = s.object('Duplicate', {
  id: s.string('It stays the same while the group exists.'),
  reason: s.oneOf(
    duplicateReasons,
    'What the contacts have in common: numbers that are forms of one another, the email, an id in one CRM, an identity that reports attested for both, or the name and the company.',
  ),
  strength: s.oneOf(strengths, '`weak` for the name and the company, which two people can share.'),
  dismissed: s.boolean('Whether all pairs of the contacts are dismissed as different people.'),
  count: s.count('The number of contacts.'),
  contacts: {
    type: 'array',
    items: s.object('DuplicateContact', {
      id: s.string(),
      phone_number: s.string(),
      first_name: s.nullableString('The first name.'),
      last_name: s.nullableString('The last name.'),
      display_name: s.nullableString('The name to show.'),
      email: s.nullableString('The email.'),
      company: s.nullableString('The company.'),
    }),
    description:
      '2 to 20 contacts in the order of their ids. A contact all of whose pairs are dismissed is left out, unless the group is dismissed.',
  },
  dismissed_pairs: s.list(
    s.list(s.string()),
    'The pairs of these contacts that are dismissed as different people.',
  ),
  created_at: s.dateTime('When the group was found.'),
  updated_at: s.dateTime('When its contacts or dismissals changed last.'),
});

export const duplicateListSchema = s.object('DuplicateList', {
  status: s.oneOf(
    ['building', 'updating', 'current'],
    '`building`: all contacts are being compared, and groups are missing. `updating`: the latest changes are being compared. `current`: the list has all changes.',
  ),
  progress: {
    type: 'number',
    minimum: 0,
    maximum: 1,
    description: 'While the list is built: the part of the contacts that was compared. Then 1.',
  },
  duplicates: s.list(duplicateSchema),
  next_cursor: s.nullableString('Where the next page begins; `null` after the last.'),
});
