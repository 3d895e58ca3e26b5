import { pageFields } from '../../lib/page.ts';
import * as s from '../../lib/schemas.ts';
import * as v from '../../lib/validation.ts';
import { fieldValues } from '../fields/field.schema.ts';
import { EMAIL, emailProblem } from './email.ts';
import type { AttributeName, Op } from './filter.attributes.ts';
import { type FilterTree, filterParameter, filterTree, isTree } from './filter.tree.ts';
import { identitySchema } from './identity.schema.ts';
import { E164_PATTERN, internationalIdentity, isInternational, phoneProblem } from './phone.ts';

export const sources = ['api', 'import', 'manual', 'inbound', 'webhook'] as const;
export type Source = (typeof sources)[number];

/** The texts of the documented contact, which never gains one (see docs/decisions/0087-new-fields.md). */
const documentedTexts = ['first_name', 'last_name', 'display_name', 'email', 'company', 'notes'] as const;

const times = ['first_contact_at', 'last_contact_at', 'created_at', 'updated_at'] as const;

/** The fields of a contact in the order of its JSON. */
export const contactFields = ['id', 'phone_number', ...documentedTexts, 'tags', 'source', ...times] as const;

/** A contact in the responses of list, get and update. */
export type Contact = Record<(typeof documentedTexts)[number], string | null> &
  Record<'id' | 'phone_number' | (typeof times)[number], string> & { tags: string[]; source: Source };

/** The name to show for a contact; null if it has none. */
export const nameOf = ({ display_name, first_name, last_name }: Names): string | null =>
  display_name || [first_name, last_name].filter(Boolean).join(' ') || null;
export type Names = Pick<Contact, 'display_name' | 'first_name' | 'last_name'>;

/** How many CRMs can identify a contact, and the longest name of one and id in one. */
export const MAX_CRM_IDS = 50;
export const MAX_CRM_NAME = 64;
export const MAX_CRM_ID = 255;

export const MAX_TAGS = 50;
export const tag = v.text({ min: 1, max: 64, schema: { examples: ['vip'] } });

/** A text that a user writes; null clears it. */
const written = (max: number, description: string, example: string) =>
  v.nullable(v.text({ max, schema: { description, examples: [example] } }));

/** The fields that a user writes. */
export const profile = {
  first_name: written(100, 'Given name.', 'Ada'),
  last_name: written(100, 'Family name.', 'Lovelace'),
  display_name: written(200, 'How the contact wants to be addressed.', 'Ada'),
  email: v.nullable(
    v.text({
      max: 254,
      schema: { pattern: EMAIL.source, description: 'An email address.', examples: ['ada@example.com'] },
      check: emailProblem,
    }),
  ),
  company: written(200, 'The company that the contact works for.', 'Analytical Engines'),
  notes: written(2000, 'Internal notes for the team.', 'Prefers calls in the morning.'),
  tags: v.uniqueStrings(tag, MAX_TAGS, {
    description: 'Replaces all tags. Duplicates are removed; the order is preserved.',
  }),
} satisfies Record<string, v.Field<unknown>>;

/** The text fields that a user writes. */
export type ProfileText = Exclude<keyof typeof profile, 'tags'>;
export const profileTexts = Object.keys(profile).filter((name) => name !== 'tags') as ProfileText[];

/** The texts that the documented contact does not have, and all that a request can add to it. */
export const laterTexts = profileTexts.filter((name) => !contactFields.some((each) => each === name));
const includable = ['crm_ids', 'fields', 'identities', ...laterTexts];

const INCLUDED = `(${includable.join('|')})`;
const INCLUDE = new RegExp(`^(${INCLUDED}(,${INCLUDED})*)?$`);
const include = v.text({
  schema: {
    pattern: INCLUDE.source,
    description: `Adds members to the contact, separated by commas: ${includable.join(', ')}.`,
    examples: ['crm_ids'],
  },
  check: (names) =>
    INCLUDE.test(names) ? undefined : `must name members, separated by commas: ${includable.join(', ')}.`,
});

/** The query of a get. */
export const includeQuery = v.only({ include });

/** A value for each text. */
export const mapTexts = <T>(read: (name: ProfileText) => T): Record<ProfileText, T> => {
  const values = {} as Record<ProfileText, T>;
  for (const name of profileTexts) values[name] = read(name);
  return values;
};

/** Read-only fields. They are ignored in requests, so that a client can send back a record that it has read. */
export const ownedByServer: readonly string[] = ['id', 'source', ...times, 'crm_ids'];

const newPhoneNumber = v.text({
  schema: {
    pattern: E164_PATTERN,
    description: 'E.164: + and the country code, 7 to 15 digits in total. Unique in the workspace.',
    examples: ['+14155550100'],
  },
  check: phoneProblem,
});

/** A number from another system: a trunk prefix after the country code is dropped, not rejected. */
export const receivedPhoneNumber: v.Field<string> = {
  ...newPhoneNumber,
  read: (value, field, problems) => {
    const isWhole = typeof value === 'string' && isInternational(value);
    return newPhoneNumber.read(isWhole ? internationalIdentity(value) : value, field, problems);
  },
};

export const contactCreate = v.object(
  { phone_number: newPhoneNumber, ...profile, fields: fieldValues },
  { title: 'ContactCreate', required: ['phone_number'], ignored: ownedByServer },
);
export type ContactCreate = ReturnType<typeof contactCreate.read>;

/** The phone number is validated against the stored one or, in an upsert, against that of the path. */
export const contactUpdate = v.object(
  {
    phone_number: v.text({
      schema: {
        description:
          'A new number must be in E.164 format. The stored number can be sent back unchanged in any format. In an upsert: the number in the path; if omitted, a legacy contact keeps the number that it displays.',
        examples: ['+14155550100'],
      },
    }),
    confirm_phone_change: v.boolean({
      description:
        'Must be true to change the number of a legacy contact whose displayed and normalized numbers conflict.',
      examples: [false],
    }),
    ...profile,
    fields: fieldValues,
  },
  { title: 'ContactUpdate', ignored: ownedByServer },
);
export type ContactUpdate = ReturnType<typeof contactUpdate.read>;

const sorts = ['created_at', 'updated_at', 'last_contact_at', 'name'] as const;
export const listSorts = [...sorts, ...sorts.map((sort) => `-${sort}` as const)] as const;

export const MAX_LIST_TAGS = 10;
const tagList = v.textList(
  'tags',
  MAX_LIST_TAGS,
  `Only contacts with these tags: up to ${MAX_LIST_TAGS}, separated by commas.`,
);

/** `true` or `false` in a query. */
const queryFlag: v.Field<boolean> = {
  schema: v.oneOf(['true', 'false']).schema,
  read: (value, field, problems) => v.oneOf(['true', 'false']).read(value, field, problems) === 'true',
};

interface ParameterCondition {
  readonly attribute: AttributeName;
  readonly op: Op;
  /** Of its value. */
  readonly kind: 'text' | 'time' | 'source' | 'flag';
  /** The contacts that it selects, after "Only contacts". */
  readonly which: string;
}

const textOf = (attribute: AttributeName, which: string) =>
  ({ attribute, op: 'eq', kind: 'text', which }) as const;
const since = (attribute: AttributeName, which: string) =>
  ({ attribute, op: 'gte', kind: 'time', which }) as const;
const before = (attribute: AttributeName, which: string) =>
  ({ attribute, op: 'lt', kind: 'time', which }) as const;
const flagOf = (attribute: AttributeName, which: string) =>
  ({ attribute, op: 'eq', kind: 'flag', which }) as const;

/** The parameters of a filter that are conditions. */
export const conditionParameters = {
  tag: textOf('tag', 'with exactly this tag.'),
  created_since: since('created_at', 'that were created at this time or later.'),
  created_before: before('created_at', 'that were created before this time.'),
  updated_since: since('updated_at', 'that were updated at this time or later.'),
  last_contact_since: since('last_contact_at', 'whose last contact was at this time or later.'),
  last_contact_before: before('last_contact_at', 'whose last contact was before this time.'),
  last_activity_since: since('last_activity_at', 'with a call or message at this time or later.'),
  last_activity_before: before('last_activity_at', 'whose last call or message was before this time.'),
  source: { attribute: 'source', op: 'eq', kind: 'source', which: 'with this source.' },
  company: textOf('company', 'with exactly this company name.'),
  email: textOf('email', 'with this email address. Ignores the case of A to Z.'),
  campaign: textOf('campaign', 'that are enrolled in this campaign.'),
  import: textOf('import', 'that this import has created or updated, while its rows are stored.'),
  has_email: flagOf('has_email', 'with an email address, or only those without.'),
  has_name: flagOf('has_name', 'with a name, or only those without.'),
  in_campaign: flagOf('in_campaign', 'that are enrolled in a campaign, or only those in none.'),
  called: flagOf('called', 'with at least one call or message, or only those without any.'),
} as const satisfies Record<string, ParameterCondition>;
export type ConditionParameter = keyof typeof conditionParameters;

/** How a query and a body write the values of filters. In a query, an empty value counts as absent; in a body it is rejected,
 *  because it would select more contacts than its author expects. */
const forms = {
  query: { limits: {}, flag: queryFlag, wrap: v.optional },
  body: {
    limits: { min: 1, max: 1_000 },
    flag: v.boolean(),
    wrap: v.described as <T>(field: v.Field<T>, description: string) => v.Field<T | undefined>,
  },
};

const filtersIn = ({ limits, flag, wrap }: (typeof forms)['query' | 'body']) => {
  const kinds = {
    text: (description: string) => v.text({ ...limits, schema: { description } }),
    time: (description: string) => wrap(v.dateTime(), description),
    source: (description: string) => wrap(v.oneOf(sources), description),
    flag: (description: string) => wrap(flag, description),
  };
  const conditions = Object.entries(conditionParameters).map(
    ([name, { kind, which }]) => [name, kinds[kind](`Only contacts ${which}`)] as const,
  );
  return {
    ...(Object.fromEntries(conditions) as {
      [N in ConditionParameter]: ReturnType<(typeof kinds)[(typeof conditionParameters)[N]['kind']]>;
    }),
    segment: kinds.text('Only contacts of this segment.'),
    has_tag_match: wrap(
      v.oneOf(['any', 'all']),
      'Whether a contact must have any or all of the tags. Default: any.',
    ),
  };
};

const plainSearch = v.text({
  schema: {
    description: 'Matches part of the phone number, a name or the email address. Ignores case and accents.',
  },
});

/** Matches more than the search of the API (see contact.terms.ts). */
const wordSearch = ({ limits }: (typeof forms)['query' | 'body']) =>
  v.text({
    ...limits,
    schema: {
      description:
        'Words in any order. Each must match part of the phone number, a name or the email address.',
    },
  });

const { tag: exactTag, ...otherFilters } = filtersIn(forms.query);
const queryFilters = { ...otherFilters, has_tag: tagList, filter: filterParameter };
const sort = v.optional(v.oneOf(listSorts), 'The order of the list; `-` reverses it. Default: newest first.');

export const contactQuery = v.object({
  ...pageFields,
  search: plainSearch,
  tag: exactTag,
  cursor: v.text({
    max: 2_000,
    schema: {
      description:
        'Continues a list at the position in the `Link` header of the previous page. Empty: starts a list in the default order.',
    },
  }),
  sort,
  include,
  ...queryFilters,
});
export type ContactQuery = ReturnType<typeof contactQuery.read>;

/** The filters of exports and of the dashboard's list, in a query. */
export const filterFields = { search: wordSearch(forms.query), tag: exactTag, ...queryFilters };

/** The last call or message. Contacts without any come last, in both directions. */
export const activitySorts = ['last_activity_at', '-last_activity_at'] as const;

export const filterQuery = v.object({
  ...pageFields,
  sort: v.optional(
    v.oneOf([...listSorts, ...activitySorts]),
    'The order of the list; `-` reverses it. Default: newest first. By `last_activity_at`, contacts without a call or message come last.',
  ),
  include,
  ...filterFields,
  count: v.optional(
    v.oneOf(['capped', 'exact']),
    'Whether the total may end at 10,000 (default), or counts every contact, which takes longer.',
  ),
});
export type FilterQuery = ReturnType<typeof filterQuery.read>;

/** The same filters in the body of a request, such as one that starts work on all contacts of a list. */
export const contactFilter = v.object(
  {
    search: wordSearch(forms.body),
    ...filtersIn(forms.body),
    has_tag: v.uniqueStrings(tag, MAX_LIST_TAGS, { description: 'Only contacts with these tags.' }),
    filter: filterTree,
  },
  {
    title: 'ContactFilter',
    schema: { description: 'A contact must match every member. `{}` selects all contacts.' },
  },
);

/** The schemas of filters in bodies. */
export const bodyFilters: readonly s.JsonSchema[] = [contactFilter.schema, filterTree.schema];

/** A filter in a body: the parameters of the list, or a tree of conditions. */
export const bodyFilter: v.Field<BodyFilter> = {
  schema: { anyOf: bodyFilters },
  read: (value, field, problems) =>
    isTree(value)
      ? { filter: filterTree.read(value, field, problems) }
      : v.nested(contactFilter).read(value, field, problems),
};
export type BodyFilter = ReturnType<typeof contactFilter.read>;

/** A filter as a body has it, and as it is stored. */
export const writtenFilter = (written: { readonly filter?: FilterTree | undefined }): object => {
  const { filter: tree, ...parameters } = written;
  return tree && Object.keys(parameters).length === 0 ? tree : written;
};
export const storedFilter = (json: string): BodyFilter => {
  const filter = JSON.parse(json) as BodyFilter | FilterTree;
  return isTree(filter) ? { filter } : (filter as BodyFilter);
};

/** A stored text may be older than the rules for new ones. */
const textSchema = ({ type, maxLength, description }: s.JsonSchema): s.JsonSchema => ({
  type,
  maxLength,
  description,
});

const crmIdsSchema = s.mapOf(s.string(), "The contact's id in each CRM, by CRM name.");
const fieldsSchema: s.JsonSchema = {
  type: 'object',
  additionalProperties: { type: ['string', 'number', 'boolean'] },
  description: "The contact's values of the workspace's fields, by key. Archived fields are left out.",
};
const textSchemas = mapTexts((name) => textSchema(profile[name].schema));
const laterSchemas = Object.fromEntries(laterTexts.map((name) => [name, textSchemas[name]]));

const createdProperties: Record<string, s.JsonSchema> = {
  id: {
    type: 'string',
    pattern: '^contact_[0-7][0-9a-hjkmnp-tv-z]{25}$',
    description: 'A prefix and 26 characters that encode a UUIDv7.',
  },
  phone_number: s.string('E.164. Some legacy contacts have a number in national format.'),
  ...Object.fromEntries(documentedTexts.map((name) => [name, textSchemas[name]])),
  tags: s.list(s.string(), 'In the order in which they were sent.'),
  source: s.oneOf(sources, 'How the contact was created.'),
  created_at: s.dateTime('When the contact was created.'),
  updated_at: s.dateTime('When the contact was last updated. Increases with every update.'),
};
const listedProperties = {
  ...createdProperties,
  first_contact_at: s.dateTime('When the first contact took place.'),
  last_contact_at: s.dateTime('When the most recent contact took place.'),
};

const { source: _, created_at: __, updated_at: ___, ...sentProperties } = createdProperties;

/** A contact or a result as it is documented, and what a request can add. */
export const withIncluded = (title: string, properties: Record<string, s.JsonSchema>): s.JsonSchema =>
  s.object(title, properties, {
    crm_ids: crmIdsSchema,
    fields: fieldsSchema,
    identities: s.list(identitySchema, 'Current ones first.'),
    ...laterSchemas,
  });
const listed = withIncluded('Contact', listedProperties);

export const contactResponses = {
  created: withIncluded('CreatedContact', createdProperties),
  listed,
  /** The contact that a key has changed. */
  changed: {
    anyOf: [
      listed,
      {
        ...s.object('SentContact', { ...sentProperties, ...laterSchemas, fields: fieldsSchema }),
        required: ['id'],
        description: 'For a key without the scope `contacts:read`: the id, and the fields of the request.',
      },
    ],
  } as s.JsonSchema,
  full: withIncluded('ContactWithCrmIds', { ...listedProperties, crm_ids: crmIdsSchema }),
};
