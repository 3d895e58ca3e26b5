import { pageFields } from '../../lib/page.ts';
import {
  boolean,
  dateTimeSchema,
  type Field,
  type JsonSchema,
  nullable,
  objectOf,
  objectSchema,
  text,
  uniqueStrings,
} from '../../lib/validation.ts';
import { internationalIdentity, isInternational, phoneProblem } from './phone.ts';

export const sources = ['api', 'import', 'manual', 'inbound', 'webhook'] as const;
export type Source = (typeof sources)[number];

/** The text fields that a user writes. */
export const profileTexts = ['first_name', 'last_name', 'display_name', 'email', 'company', 'notes'] as const;

/** The fields of a contact in the order of its JSON. */
export const contactFields = [
  'id',
  'phone_number',
  ...profileTexts,
  'tags',
  'source',
  'first_contact_at',
  'last_contact_at',
  'created_at',
  'updated_at',
] as const satisfies (keyof Contact)[];

/** A contact in the responses of list, get and update. */
export interface Contact {
  id: string;
  phone_number: string;
  first_name: string | null;
  last_name: string | null;
  display_name: string | null;
  email: string | null;
  company: string | null;
  notes: string | null;
  tags: string[];
  source: Source;
  first_contact_at: string;
  last_contact_at: string;
  created_at: string;
  updated_at: string;
}

/** The name to show for a contact; null if it has none. */
export const nameOf = ({ display_name, first_name, last_name }: Names): string | null =>
  display_name || [first_name, last_name].filter(Boolean).join(' ') || null;
export type Names = Pick<Contact, 'display_name' | 'first_name' | 'last_name'>;

const DOMAIN_CHARACTER = String.raw`[^\s\p{Cc}@.<>()[\]\\,;:"]`;
const DOMAIN_LABEL = `(?!-)${DOMAIN_CHARACTER}+(?<!-)`;
/** A local part without quotes, and a domain of at least two labels, in any script. */
const EMAIL = new RegExp(
  String.raw`^[^\s\p{Cc}@"(),:;<>[\]\\]+@(?:${DOMAIN_LABEL}\.)+(?=..)${DOMAIN_LABEL}$`,
  'u',
);
const emailProblem = (email: string) =>
  EMAIL.test(email) && !/^\.|\.\.|\.@/.test(email)
    ? undefined
    : 'must be an email address, for example ada@example.com.';

const INTERNATIONAL_SCHEMA = {
  pattern: '^\\+[0-9]{7,15}$',
  description: 'E.164: + and the country code, 7 to 15 digits in total. Unique in the workspace.',
  examples: ['+14155550100'],
};

const described = (description: string) => ({ schema: { description } });

export const MAX_TAGS = 50;
export const tag = text({ min: 1, max: 64 });

/** The fields that a user writes. */
export const profile = {
  first_name: nullable(text({ max: 100, ...described('Given name.') })),
  last_name: nullable(text({ max: 100, ...described('Family name.') })),
  display_name: nullable(text({ max: 200, ...described('How the contact wants to be addressed.') })),
  email: nullable(
    text({ max: 254, schema: { format: 'email', description: 'An email address.' }, check: emailProblem }),
  ),
  company: nullable(text({ max: 200, ...described('The company that the contact works for.') })),
  notes: nullable(text({ max: 2000, ...described('Internal notes for the team.') })),
  tags: uniqueStrings(tag, MAX_TAGS, {
    maxItems: MAX_TAGS,
    description: 'Replaces all tags. Duplicates are removed; the order is preserved.',
  }),
} satisfies Record<string, Field<unknown>>;

/** Read-only fields. They are ignored in requests, so that a client can send back a record that it has read. */
export const ownedByServer = [
  'id',
  'source',
  'first_contact_at',
  'last_contact_at',
  'created_at',
  'updated_at',
  'crm_ids',
];

export const newPhoneNumber = text({ schema: INTERNATIONAL_SCHEMA, check: phoneProblem });

/** A number from another system: a trunk prefix after the country code is dropped, not rejected. */
export const receivedPhoneNumber: Field<string> = {
  ...newPhoneNumber,
  read: (value, field, problems) => {
    const isWhole = typeof value === 'string' && isInternational(value);
    return newPhoneNumber.read(isWhole ? internationalIdentity(value) : value, field, problems);
  },
};

export const contactCreate = objectOf(
  { phone_number: newPhoneNumber, ...profile },
  { required: ['phone_number'], ignored: ownedByServer },
);
export type ContactCreate = ReturnType<typeof contactCreate.read>;

/** The phone number is validated against the stored one, which may be sent back unchanged in any format. */
export const contactUpdate = objectOf(
  {
    phone_number: text({
      schema: {
        description:
          'A new number must be in E.164 format. The stored number can be sent back unchanged in any format.',
        examples: ['+14155550100'],
      },
    }),
    confirm_phone_change: boolean({
      description:
        'Must be true to change the number of a legacy contact whose displayed and normalized numbers conflict.',
    }),
    ...profile,
  },
  { ignored: ownedByServer },
);
export type ContactUpdate = ReturnType<typeof contactUpdate.read>;

const listFields = {
  ...pageFields,
  search: text({
    schema: {
      description: 'Matches part of the phone number, a name or the email address. Ignores case and accents.',
    },
  }),
  tag: text({ schema: { description: 'Only contacts with exactly this tag.' } }),
};
export const contactQuery = objectOf(listFields);
export type ContactQuery = ReturnType<typeof contactQuery.read>;

/** The filters of the dashboard, which are more than the API offers. */
export const filterQuery = objectOf({
  ...listFields,
  search: text({
    schema: {
      description:
        'Words in any order. Each must match part of the phone number, a name or the email address.',
    },
  }),
  company: text({ schema: { description: 'Only contacts with exactly this company name.' } }),
});
export type FilterQuery = ReturnType<typeof filterQuery.read>;

const nullableSchema = (schema: JsonSchema = {}): JsonSchema => ({ type: ['string', 'null'], ...schema });

const createdProperties: Record<string, JsonSchema> = {
  id: {
    type: 'string',
    pattern: '^contact_[0-7][0-9a-hjkmnp-tv-z]{25}$',
    description: 'A prefix and 26 characters that encode a UUIDv7.',
  },
  phone_number: {
    type: 'string',
    description: 'E.164. Some legacy contacts have a number in national format.',
  },
  first_name: nullableSchema({ maxLength: 100, description: 'Given name.' }),
  last_name: nullableSchema({ maxLength: 100, description: 'Family name.' }),
  display_name: nullableSchema({ maxLength: 200, description: 'How the contact wants to be addressed.' }),
  email: nullableSchema({ maxLength: 254, description: 'An email address.' }),
  company: nullableSchema({ maxLength: 200, description: 'The company that the contact works for.' }),
  notes: nullableSchema({ maxLength: 2000, description: 'Internal notes for the team.' }),
  tags: { type: 'array', items: { type: 'string' }, description: 'In the order in which they were sent.' },
  source: { type: 'string', enum: sources, description: 'How the contact was created.' },
  created_at: dateTimeSchema('When the contact was created.'),
  updated_at: dateTimeSchema('When the contact was last updated. Increases with every update.'),
};
const listedProperties = {
  ...createdProperties,
  first_contact_at: dateTimeSchema('When the first contact took place.'),
  last_contact_at: dateTimeSchema('When the most recent contact took place.'),
};

export const contactResponses = {
  created: objectSchema('CreatedContact', createdProperties),
  listed: objectSchema('Contact', listedProperties),
  full: objectSchema('ContactWithCrmIds', {
    ...listedProperties,
    crm_ids: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: "The contact's id in each CRM, by CRM name.",
    },
  }),
};
