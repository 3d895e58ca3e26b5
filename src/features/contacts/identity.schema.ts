import { pageFields } from '../../lib/page.ts';
import * as s from '../../lib/schemas.ts';
import * as v from '../../lib/validation.ts';
import { emailProblem } from './email.ts';
import { phoneProblem } from './phone.ts';

export const identityKinds = ['phone', 'whatsapp_user', 'email_address', 'external'] as const;
export type IdentityKind = (typeof identityKinds)[number];

/** How many current identities a contact can have, with its number. */
export const MAX_IDENTITIES = 20;

const MAX_VALUE = 255;
const BLANK = /[\s\p{Cc}\p{Cf}]/u;

const atMost = (max: number, value: string) =>
  value.length > max ? `must have at most ${max} characters for this kind.` : undefined;

const problems: Record<IdentityKind, (value: string) => string | undefined> = {
  phone: phoneProblem,
  whatsapp_user: (value) =>
    BLANK.test(value) ? 'must not contain spaces or control characters.' : atMost(128, value),
  email_address: (value) => emailProblem(value) ?? atMost(254, value),
  external: () => undefined,
};

/** What is wrong with the value of an identity, if anything. */
export const identityProblem = (kind: IdentityKind, value: string): string | undefined =>
  problems[kind](value);

/** The form in which values of a kind are stored and compared. */
export const identityValue = (kind: IdentityKind, value: string): string =>
  kind === 'email_address' ? value.toLowerCase() : value;

const kind = v.oneOf(identityKinds);
const value = v.text({
  min: 1,
  max: MAX_VALUE,
  schema: {
    description:
      'By kind: a number in E.164, an opaque business-scoped user id of WhatsApp (at most 128 characters), an email address, which is stored in lower case, or any id of another system.',
    examples: ['+14155550101'],
  },
});

/** The problem of a kind and a value together, which JSON Schema does not express. */
export const checkIdentity = (sent: Readonly<Record<string, unknown>>) => {
  const message = identityProblem(sent.kind as IdentityKind, sent.value as string);
  return message === undefined ? [] : [{ field: 'value', message }];
};

export const identityCreate = v.object(
  {
    kind,
    value,
    verified_by: v.nullable(
      v.text({ min: 1, max: 100, schema: { description: 'How it was verified, such as `one-time code`.' } }),
    ),
    valid_from: v.described(
      v.dateTime(),
      'Since when the contact has had it; not in the future. By default now.',
    ),
  },
  { title: 'IdentityCreate', required: ['kind', 'value'], check: checkIdentity },
);
export type IdentityCreate = ReturnType<typeof identityCreate.read>;

const personKinds = identityKinds.filter((each) => each !== 'phone');

/** Who a report or a session is about, besides the number or instead of it. */
export const userIdentity = v.nested(
  v.object(
    { kind: v.oneOf(personKinds), value },
    { title: 'UserIdentity', required: ['kind', 'value'], check: checkIdentity },
  ),
);

export const identityUpdate = v.object(
  {
    is_primary: v.checked<true>(
      { const: true, description: "Makes a current secondary number the contact's number." },
      (sent) =>
        sent === true ? undefined : 'must be true. To demote a number, make another one the primary number.',
    ),
  },
  { title: 'IdentityUpdate', required: ['is_primary'] },
);

export const identityQuery = v.object(
  { ...pageFields, contact: v.described(v.oneOf(['none']), 'Selects people without a contact.') },
  { required: ['contact'] },
);

const properties: Record<string, s.JsonSchema> = {
  id: s.string(),
  kind: s.oneOf(identityKinds),
  value: s.string(),
  is_primary: s.boolean("Whether it is the contact's number."),
  verified_by: s.nullableString('How it was verified.'),
  valid_from: s.dateTime('Since when the contact has had it.'),
  valid_until: s.orNull(s.dateTime('Until when it had it; `null` if it is current.')),
};

export const identitySchema = s.object('Identity', properties);
export const heldIdentitySchema = s.object('HeldIdentity', {
  ...properties,
  contact_id: s.orNull(s.string(), '`null` for a person without a contact.'),
});
