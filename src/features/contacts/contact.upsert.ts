import type { Db } from '../../db/db.ts';
import { type Call, type Outcome, read, write } from '../../db/operation.ts';
import { ApiError, invalidField } from '../../lib/errors.ts';
import { assertIfMatch, assertIfNoneMatch, type IfMatch } from '../../lib/etag.ts';
import { chain } from '../../lib/maybe-promise.ts';
import { fieldsFor } from '../fields/field.store.ts';
import type { Principal } from '../workspaces/principal.ts';
import { lockByNumber, secondaryHolderOf } from './contact.holder.ts';
import { including } from './contact.include.ts';
import type { ContactUpdate, Source } from './contact.schema.ts';
import { beingCreated } from './contact.seen.ts';
import {
  type CreatedContact,
  changeContact,
  contactTag,
  createAll,
  createdOf,
  fullJson,
  insertContact,
  type NewContact,
} from './contact.service.ts';
import * as store from './contact.store.ts';
import { phoneProblem } from './phone.ts';
import { findByNumber } from './phone.variants.ts';

/** The number in a path, by the rules of `phone_number` in a create. */
const assertPhone = (phone: string): string => {
  const message = phoneProblem(phone);
  if (message) throw invalidField('phone', message);
  return phone;
};

/** The contact with a phone identity or, if none has it, with a variant of it. Like `getContact`. */
export const getContactByPhone = read(
  'getContactByPhone',
  (db, principal: Principal, { phone, include }: { phone: string; include?: string | undefined }) => {
    const { workspace } = principal;
    const found = findByNumber(assertPhone(phone), (identity) =>
      chain(
        db.get(store.findContactByIdentity, { workspace, identity }),
        (primary) =>
          primary ??
          chain(secondaryHolderOf(db, workspace, identity), (id) =>
            id === undefined ? undefined : db.get(store.findContact, { workspace, id }),
          ),
      ),
    );
    return including(db, principal, include, chain(found, fullJson));
  },
);

export interface Upsert {
  readonly phone: string;
  readonly source: Source;
  readonly fields: ContactUpdate;
  readonly match?: IfMatch | undefined;
  readonly noneMatch?: IfMatch | undefined;
}

export type UpsertedContact = CreatedContact & { isNew: boolean };

const assertSamePhone = (phone: string, { phone_number }: ContactUpdate) => {
  if (phone_number === undefined || phone_number === phone) return;
  throw invalidField('phone_number', `must be the number in the path, ${phone}, or be omitted.`);
};

const newContact = ({ phone, source, fields }: Upsert): NewContact => {
  const { confirm_phone_change: _, ...profile } = fields;
  return { source, fields: { ...profile, phone_number: phone } };
};

const isCreatable = ({ phone, fields, match }: Upsert): boolean =>
  match === undefined && !phoneProblem(phone) && (fields.phone_number ?? phone) === phone;

/** Only creates. An update runs alone: it has to lock the contact. */
const createMissing = async (
  db: Db,
  calls: readonly Call<Principal, Upsert>[],
): Promise<(Outcome<UpsertedContact> | undefined)[]> => {
  const creatable = calls.filter(({ input }) => isCreatable(input));
  if (creatable.length === 0) return calls.map(() => undefined);
  const inputs = creatable.map(({ principal, input }) => ({ principal, input: newContact(input) }));
  const created = await createAll(db, inputs);
  const outcomes = new Map(creatable.map((call, at) => [call, created[at]]));
  return calls.map((call) => {
    const outcome = outcomes.get(call);
    return outcome && 'value' in outcome ? { value: { ...outcome.value, isNew: true } } : undefined;
  });
};

/** Creates the contact with a phone identity, or changes the given fields of the one that has it. */
export const upsertContact = write(
  'upsertContact',
  async (db, principal: Principal, input: Upsert): Promise<UpsertedContact> => {
    const { fields, match, noneMatch } = input;
    const phone = assertPhone(input.phone);
    assertSamePhone(phone, fields);
    const definitions = await fieldsFor(db, principal, [fields]);
    const before = await lockByNumber(db, principal, phone);
    if (!before) {
      if (match !== undefined)
        throw new ApiError(
          'PRECONDITION_FAILED',
          'No contact has this phone number, so If-Match cannot match. To create the contact, send the request without If-Match.',
        );
      const row = await insertContact(db, principal, newContact(input), definitions);
      if (row) return { ...createdOf(row), isNew: true };
      throw beingCreated();
    }
    const etag = contactTag(before);
    assertIfNoneMatch('contact', etag, noneMatch);
    assertIfMatch('contact', etag, match);
    // The number of a contact stays if it is found by another one.
    const { phone_number: _, ...others } = fields;
    const changes = before.phone_identity === phone ? fields : others;
    const after = await changeContact(db, principal, before, changes, definitions);
    return { id: after.id, isNew: false, json: after.wire, etag: contactTag(after) };
  },
  { runMany: createMissing },
);
