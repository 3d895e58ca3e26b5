import { count } from '../../db/counters.ts';
import type { Db } from '../../db/db.ts';
import { longRead, write } from '../../db/operation.ts';
import type { Storage } from '../../db/storage.ts';
import { timestamp, timestampAfter } from '../../lib/clock.ts';
import { ApiError, invalid, notFound } from '../../lib/errors.ts';
import { type Page, pageRequestOf } from '../../lib/page.ts';
import { recordChange, recordChangeNow, updateCounts } from '../audit/audit.service.ts';
import { type Selection, walkContacts } from '../contacts/contact.export.ts';
import { nameOf } from '../contacts/contact.schema.ts';
import { contactId, getContact } from '../contacts/contact.service.ts';
import type { Principal } from '../workspaces/principal.ts';
import type { EnrollmentCreate, EnrollmentQuery, EnrollmentStatus } from './campaign.schema.ts';
import * as store from './campaign.store.ts';
import { countEnrolled, statusCounter } from './enrollment.counts.ts';

export interface EnrollmentResult {
  enrolled: number;
  already_enrolled: number;
  not_found: string[];
}

/** Enrolls contacts by their ids. In a later step, `sum` is how many the previous steps have enrolled, and `entry` is the audit
 *  entry of all steps. */
export const enrollContacts = write(
  'enrollContacts',
  async (
    db: Db,
    principal: Principal,
    { campaign, ids, sum = 0, entry }: { campaign: string; ids: string[]; sum?: number; entry?: number },
  ): Promise<EnrollmentResult & { entry: number }> => {
    const { workspace } = principal;
    const found = await db.get(store.selectCampaignForUpdate, { workspace, id: campaign });
    if (!found) throw notFound('campaign');
    if (found.status === 'finished') {
      throw new ApiError('CONFLICT', 'This campaign has finished; contacts can no longer be enrolled.');
    }
    const parsed = (id: string) => contactId.parse(id) ?? id;
    const json = JSON.stringify(ids.map(parsed));
    const enrolled = await db.run(store.insertEnrollments, {
      workspace,
      campaign,
      ids: json,
      at: timestamp(),
    });
    count(db, workspace, [statusCounter(campaign, 'pending')], enrolled);
    const existing = new Set(
      (await db.all(store.findExisting, { workspace, ids: json })).map(({ id }) => id),
    );
    const not_found = ids.filter((id) => !existing.has(parsed(id)));
    const result = { enrolled, already_enrolled: existing.size - enrolled, not_found };
    const counts = { enrolled: sum + enrolled };
    if (entry !== undefined) {
      await updateCounts(db, principal, { entry, counts });
      return { ...result, entry };
    }
    const [subject] = existing.size === 1 ? existing : [];
    const about = { subject, parent: campaign, counts };
    return {
      ...result,
      entry: await recordChangeNow(db, principal, { action: 'enrollment.created', ...about }),
    };
  },
);

const selectionOf = ({ contact_ids, tag, search }: EnrollmentCreate): Selection | { ids: string[] } => {
  const given = [contact_ids && { ids: contact_ids }, tag && { tag }, search && { search }].filter(Boolean);
  if (given.length !== 1) {
    throw invalid([{ field: 'body', message: 'must contain exactly one of contact_ids, tag and search.' }]);
  }
  return given[0] as Selection | { ids: string[] };
};

/** Enrolls all contacts of a selection, a thousand per transaction, so that other writes do not wait long. */
export const enroll = async (
  storage: Storage,
  principal: Principal,
  { campaign, audience }: { campaign: string; audience: EnrollmentCreate },
): Promise<EnrollmentResult> => {
  const selection = selectionOf(audience);
  const step = async (input: Parameters<typeof enrollContacts>[2]) =>
    storage.run(enrollContacts, principal, input);
  if ('ids' in selection) {
    const { entry: _, ...result } = await step({ campaign, ids: selection.ids });
    return result;
  }
  const sum: EnrollmentResult = { enrolled: 0, already_enrolled: 0, not_found: [] };
  let entry: number | undefined;
  for (let after: number | undefined = 0; after !== undefined; ) {
    const { ids, next }: Awaited<ReturnType<typeof walkContacts>> = await storage.run(
      walkContacts,
      principal,
      {
        selection,
        after,
      },
    );
    const done = await step({ campaign, ids, sum: sum.enrolled, entry });
    sum.enrolled += done.enrolled;
    sum.already_enrolled += done.already_enrolled;
    entry = done.entry;
    after = next;
  }
  return sum;
};

const enrollmentOf = (row: store.ListedEnrollment) => ({
  campaign_id: row.campaign_id,
  campaign_name: row.campaign_name,
  campaign_status: row.campaign_status,
  contact_id: row.contact_id,
  contact_name: nameOf(row),
  contact_phone_number: row.phone_number,
  status: row.status,
  enrolled_at: row.enrolled_at,
  updated_at: row.updated_at,
});

/** Newest contacts first. */
export const listEnrollments = longRead(
  'listEnrollments',
  async (
    db: Db,
    { workspace }: Principal,
    { campaign, query }: { campaign: string; query: EnrollmentQuery },
  ): Promise<Page> => {
    if (!(await db.get(store.findListedCampaign, { workspace, id: campaign }))) throw notFound('campaign');
    const { status } = query;
    const rows = await db.all(store.listsOfCampaign[status ? 'status' : 'all'], {
      workspace,
      id: campaign,
      status: status ?? '',
      ...pageRequestOf(query),
    });
    const enrolled = (await countEnrolled(db, workspace, [campaign])).get(campaign) ?? {};
    const total = status
      ? (enrolled[status] ?? 0)
      : Object.values(enrolled).reduce((sum, count) => sum + count, 0);
    return { json: rows.map((row) => JSON.stringify(enrollmentOf(row))).join(','), total };
  },
);

export const enrollmentsOfContact = longRead(
  'enrollmentsOfContact',
  async (db: Db, principal: Principal, { id }: { id: string }) => {
    await getContact(db, principal, { id });
    const { workspace } = principal;
    const contact = contactId.parse(id) ?? '';
    return (await db.all(store.listOfContact, { workspace, contact })).map(enrollmentOf);
  },
);

export const updateEnrollment = write(
  'updateEnrollment',
  async (
    db: Db,
    principal: Principal,
    { campaign, contact, status }: { campaign: string; contact: string; status: EnrollmentStatus },
  ) => {
    const { workspace } = principal;
    const key = { workspace, campaign, contact: contactId.parse(contact) ?? '' };
    const before = await db.get(store.selectEnrollmentForUpdate, key);
    if (!before) throw notFound('enrollment');
    await db.run(store.setEnrollment, { ...key, status, at: timestampAfter(before.updated_at) });
    count(db, workspace, [statusCounter(campaign, before.status)], -1);
    count(db, workspace, [statusCounter(campaign, status)], 1);
    const about = { subject: key.contact, parent: campaign, fields: ['status'] };
    recordChange(db, principal, { action: 'enrollment.updated', ...about });
    return enrollmentOf((await db.get(store.findListedEnrollment, key)) as store.ListedEnrollment);
  },
);

export const deleteEnrollment = write(
  'deleteEnrollment',
  async (
    db: Db,
    principal: Principal,
    { campaign, contact }: { campaign: string; contact: string },
  ): Promise<void> => {
    const { workspace } = principal;
    const key = { workspace, campaign, contact: contactId.parse(contact) ?? '' };
    const deleted = await db.get(store.deleteEnrollmentRow, key);
    if (!deleted) throw notFound('enrollment');
    count(db, workspace, [statusCounter(deleted.campaign_id, deleted.status)], -1);
    recordChange(db, principal, { action: 'enrollment.deleted', subject: key.contact, parent: campaign });
  },
);

/** Deletes the enrollments of a deleted contact. */
export const deleteEnrollmentsOfContact = async (
  db: Db,
  { workspace }: Principal,
  { id }: { id: string },
): Promise<void> => {
  const deleted = await db.all(store.deleteOfContact, { workspace, contact: id });
  const lists = deleted.map(({ campaign_id, status }) => statusCounter(campaign_id, status));
  count(db, workspace, lists, -1);
};
