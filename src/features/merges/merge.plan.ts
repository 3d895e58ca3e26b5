import { hash } from 'node:crypto';
import type { Db } from '../../db/db.ts';
import { longRead } from '../../db/operation.ts';
import { canonicalJson } from '../../lib/canonical-json.ts';
import { invalidField } from '../../lib/errors.ts';
import { STATE_BYTES } from '../../lib/plan-token.ts';
import type { KeyScope } from '../../lib/scopes.ts';
import { countRenderings } from '../agents/rendering.store.ts';
import { bulkChangeRows } from '../bulk/changes.store.ts';
import { countCalls } from '../calls/call.merge.ts';
import { countSessions } from '../calls/session.store.ts';
import { enrollmentsToMerge, type MergedEnrollment } from '../campaigns/enrollment.merge.ts';
import { countCrmIds } from '../contacts/contact.crm.ts';
import { missingContact } from '../contacts/contact.merged.ts';
import { MAX_CRM_IDS, MAX_TAGS } from '../contacts/contact.schema.ts';
import { contactId, contactTag } from '../contacts/contact.service.ts';
import { findStoredByIds, type StoredContact } from '../contacts/contact.store.ts';
import { currentOf } from '../contacts/identity.column.ts';
import { identitiesByContact } from '../contacts/identity.list.ts';
import { MAX_IDENTITIES } from '../contacts/identity.schema.ts';
import { importRows } from '../imports/row.store.ts';
import { isKeyWithout, type Principal } from '../workspaces/principal.ts';
import type { MergeCreate } from './merge.schema.ts';
import { type Choices, mergedRow, mergeFields, mergeTags } from './merge.values.ts';

/** The contacts of a merge by their ids, the survivor first. */
export interface Merged {
  readonly ids: readonly string[];
  readonly choices: Choices;
}

/** Reads the ids of a request. An id of no form is a contact that does not exist. */
export const mergedOf = ({ survivor_id, other_ids, choices = {} }: MergeCreate): Merged => {
  const ids = [survivor_id, ...other_ids].map((id) => contactId.parse(id) ?? id);
  if (new Set(ids).size < ids.length)
    throw invalidField('other_ids', 'must name other contacts than survivor_id, each once.');
  const parsed = Object.entries(choices).map(([field, id]) => [field, contactId.parse(id) ?? id]);
  return { ids, choices: Object.fromEntries(parsed) };
};

/** How many records move or follow. */
export interface Counts {
  readonly identities: number;
  readonly enrollments: number;
  readonly calls: number;
  readonly sessions: number;
  readonly renderings: number;
  readonly import_rows: number;
  readonly bulk_changes: number;
}

const scopes: Partial<Record<keyof Counts, KeyScope>> = {
  enrollments: 'campaigns:read',
  calls: 'calls:read',
  sessions: 'calls:read',
};

/** The counts of records that a caller may read. */
export const shownCounts = (principal: Principal, counts: Counts) =>
  Object.fromEntries(
    Object.entries(counts).map(([name, count]) => {
      const scope = scopes[name as keyof Counts];
      return [name, scope && isKeyWithout(principal, scope) ? null : count];
    }),
  );

/** The contacts in the order of the ids; throws if one is missing. */
export const inOrder = async (
  db: Db,
  principal: Principal,
  ids: readonly string[],
  found: readonly StoredContact[],
): Promise<StoredContact[]> => {
  const byId = new Map(found.map((row) => [row.id, row]));
  const missing = ids.find((id) => !byId.has(id));
  if (missing !== undefined) throw await missingContact(db, principal, missing);
  return ids.flatMap((id) => byId.get(id) ?? []);
};

/** All that a merge does, from contacts whose first one is the survivor. */
export const planOf = async (
  db: Db,
  { workspace }: Principal,
  contacts: readonly StoredContact[],
  { choices, lock }: { choices: Choices; lock: boolean },
) => {
  const ids = contacts.map(({ id }) => id);
  const others = ids.slice(1);
  const fields = mergeFields(contacts, choices);
  const enrollments = await enrollmentsToMerge(db, workspace, ids, { lock });
  const identities = [...(await identitiesByContact(db, workspace, contacts)).values()];
  const counts: Counts = {
    identities: identities.slice(1).flat().length,
    enrollments: enrollments.flat().filter(({ contact_id }) => contact_id !== ids[0]).length,
    calls: await countCalls(db, workspace, others),
    sessions: await countSessions(db, workspace, others),
    renderings: await countRenderings(db, workspace, others),
    import_rows: await importRows.count(db, workspace, others),
    bulk_changes: await bulkChangeRows.count(db, workspace, others),
  };
  const state = canonicalJson([
    contacts.map((row) => [row.id, contactTag(row)]),
    enrollments.flat().map((row) => [row.campaign_id, row.contact_id, row.status, row.updated_at]),
    identities.map((some) => some.map(({ id, value, valid_until }) => [id, value, valid_until])),
  ]);
  return {
    fields,
    tags: mergeTags(contacts),
    after: mergedRow(contacts, fields),
    counts,
    enrollments,
    state: hash('sha256', state, 'buffer').subarray(0, STATE_BYTES).toString('hex'),
  };
};
export type MergePlan = Awaited<ReturnType<typeof planOf>>;

const warningsOf = (
  contacts: readonly StoredContact[],
  { tags, after, enrollments }: MergePlan,
  mayReadCampaigns: boolean,
): string[] => {
  const [survivor] = contacts;
  const displayed = contacts.slice(1).filter(({ phone_identity }) => phone_identity === null);
  const leases = enrollments.flatMap(([, ...others]) => others.filter(({ leased }) => leased === 1));
  return [
    ...(tags.left.length > 0
      ? [`The contacts have more than ${MAX_TAGS} tags. These are left out: ${tags.left.join(', ')}.`]
      : []),
    ...(countCrmIds(after.crm_ids) > MAX_CRM_IDS
      ? [`The survivor will have more than ${MAX_CRM_IDS} CRM ids, so none can be added.`]
      : []),
    ...(currentOf(after).length > MAX_IDENTITIES
      ? [
          `The survivor will have more than ${MAX_IDENTITIES} identities, so none can be added, and searches find only the first ones.`,
        ]
      : []),
    ...displayed.map(({ id }) => `The number of ${id} is not international, so it is kept only for an undo.`),
    ...(after.phone_number !== survivor?.phone_number ? ['The number of the survivor changes.'] : []),
    ...(mayReadCampaigns && leases.length > 0
      ? [
          'A contact is claimed in a campaign in which another enrollment stays. A report on this claim will be refused.',
        ]
      : []),
  ];
};

const campaignOf = ([kept, ...removed]: MergedEnrollment) => ({
  campaign_id: kept.campaign_id,
  status: kept.status,
  contact_id: kept.contact_id,
  removed: removed.map(({ contact_id, status }) => ({ contact_id, status })),
});

/** What a merge would do, and the state that it depends on. */
export const planMerge = longRead('planMerge', async (db, principal: Principal, { ids, choices }: Merged) => {
  const { workspace } = principal;
  const found = await db.all(findStoredByIds, { workspace, keys: JSON.stringify(ids) });
  const contacts = await inOrder(db, principal, ids, found);
  const plan = await planOf(db, principal, contacts, { choices, lock: false });
  const mayReadCampaigns = !isKeyWithout(principal, 'campaigns:read');
  const { fields, tags, after, counts, enrollments, state } = plan;
  const [survivor_id, ...other_ids] = ids;
  return {
    state,
    plan: {
      survivor_id,
      other_ids,
      fields,
      tags: tags.tags,
      first_contact_at: after.first_contact_at,
      last_contact_at: after.last_contact_at,
      moves: shownCounts(principal, counts),
      enrollments: mayReadCampaigns ? enrollments.map(campaignOf) : null,
      warnings: warningsOf(contacts, plan, mayReadCampaigns),
    },
  };
});
