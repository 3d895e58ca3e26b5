import type { Db } from '../../db/db.ts';
import { longRead, read, write } from '../../db/operation.ts';
import type { Storage } from '../../db/storage.ts';
import { timestamp, timestampAfter } from '../../lib/clock.ts';
import { conflict } from '../../lib/errors.ts';
import { pageOf, pageRequestOf } from '../../lib/page.ts';
import { changeInSteps, updateCounts } from '../../records/change.ts';
import { equalTo } from '../../records/list.declaration.ts';
import { mergeVariables, parseVariables, type VariableChange } from '../agents/variable.values.ts';
import { walkContacts } from '../contacts/contact.export.ts';
import { checkFilter } from '../contacts/contact.filters.ts';
import { missingContact, survivorOf } from '../contacts/contact.merged.ts';
import { contactId, getContact } from '../contacts/contact.service.ts';
import { findIdentities, searchable } from '../contacts/contact.store.ts';
import { termsOf } from '../contacts/contact.terms.ts';
import { phoneNeedle } from '../contacts/phone.ts';
import { assertAlso } from '../workspaces/access.guard.ts';
import type { Principal } from '../workspaces/principal.ts';
import * as lists from './campaign.lists.ts';
import type { EnrollmentCreate, EnrollmentQuery, EnrollmentUpdate } from './campaign.schema.ts';
import { campaignId, findCampaign, hasEnded, lockCampaign } from './campaign.service.ts';
import { insertAll } from './enrollment.changes.ts';
import { countEnrolled, hasOwnCounter, sumOf } from './enrollment.counts.ts';
import { enrollmentOf, hasLease, recordAllEnrolled, recordUnenrolled } from './enrollment.events.ts';
import * as store from './enrollment.store.ts';
import { byRule } from './retry.service.ts';

export const leaseEnd = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString();

/** What one step did. It is stored as the answer for an Idempotency-Key, so it does not repeat what the caller has sent. */
interface EnrollmentStep {
  enrolled: number;
  already_enrolled: number;
  /** The positions of the ids of no contact. */
  missing: number[];
  /** The audit entry of all steps. */
  entry: number;
  /** Where the next step begins; undefined after the last. A retry continues there, because the selection may have changed. */
  next?: number | undefined;
}

type EnrollmentResult = Pick<EnrollmentStep, 'enrolled' | 'already_enrolled'> & { not_found: string[] };

interface EnrollmentStepInput {
  campaign: string;
  ids: string[];
  /** Of all contacts, and of some of them by the ids that the caller has sent. */
  variables?: VariableChange | undefined;
  own?: Readonly<Record<string, VariableChange>> | undefined;
  /** How many the previous steps have enrolled. */
  sum?: number;
  /** The audit entry of all steps; undefined in the first one. */
  entry?: number | undefined;
  next?: number | undefined;
}

const assertEnrollable = (campaign: Parameters<typeof hasEnded>[0]): void => {
  if (hasEnded(campaign)) throw conflict('This campaign has finished; contacts can no longer be enrolled.');
};

/** The id of a campaign in which contacts can be enrolled. */
export const findEnrollable = async (db: Db, principal: Principal, campaign: string): Promise<string> => {
  const found = await findCampaign(db, principal, campaign);
  assertEnrollable(found);
  return found.id;
};

const parsed = (id: string) => contactId.parse(id) ?? id;

/** Enrolls contacts, and returns those that were not enrolled before and all that exist. */
export const enrollByIds = async (
  db: Db,
  principal: Principal,
  { campaign, ids, variables, own }: Pick<EnrollmentStepInput, 'campaign' | 'ids' | 'variables' | 'own'>,
) => {
  const { workspace } = principal;
  const found = await lockCampaign(db, principal, campaign);
  assertEnrollable(found);
  const known = ids.map(parsed);
  const byContact = new Map(Object.entries(own ?? {}).map(([id, each]) => [parsed(id), each]));
  const variablesOf = (contact: string) => mergeVariables(null, { ...variables, ...byContact.get(contact) });
  const inserted = await insertAll(db, principal, found, { ids: known, by_audience: 0, variablesOf });
  const keys = JSON.stringify(known);
  const present = new Set((await db.all(findIdentities, { workspace, keys })).map(({ id }) => id));
  return { id: found.id, inserted, present };
};

/** Enrolls contacts by their ids. */
export const enrollContacts = write(
  'enrollContacts',
  async (
    db,
    principal: Principal,
    { sum = 0, entry, next, ...which }: EnrollmentStepInput,
  ): Promise<EnrollmentStep> => {
    const { id, inserted, present } = await enrollByIds(db, principal, which);
    const enrolled = inserted.length;
    const missing = which.ids.flatMap((id, at) => (present.has(parsed(id)) ? [] : [at]));
    const result = { enrolled, already_enrolled: present.size - enrolled, missing, next };
    const counts = { enrolled: sum + enrolled };
    if (entry !== undefined) {
      await updateCounts(db, principal, { entry, counts });
      return { ...result, entry };
    }
    const [subject] = present.size === 1 ? present : [];
    const enrollment = { subject, parent: id, counts };
    return {
      ...result,
      entry: await changeInSteps(db, principal, { action: 'enrollment.created', ...enrollment }),
    };
  },
);

/** How many contacts are enrolled in one transaction, so that other writes do not wait long. */
const STEP = 1_000;

/** Enrolls the contacts that one of the selectors names. */
export const enroll = async (
  storage: Storage,
  principal: Principal,
  { campaign, audience }: { campaign: string; audience: EnrollmentCreate },
): Promise<EnrollmentResult> => {
  const { contact_ids, contacts, variables, filter: given, ...words } = audience;
  const own = contacts && Object.fromEntries(contacts.map((each) => [each.contact_id, each.variables ?? {}]));
  const ids = own ? Object.keys(own) : contact_ids;
  if (ids) {
    const done = await storage.run(enrollContacts, principal, { campaign, ids, variables, own });
    const { enrolled, already_enrolled, missing } = done;
    return { enrolled, already_enrolled, not_found: missing.map((at) => ids[at] ?? '') };
  }
  const checked = given && { filter: given, body: 'filter' };
  const filter = checked ? await storage.run(checkFilter, principal, checked) : words;
  const sum: EnrollmentResult = { enrolled: 0, already_enrolled: 0, not_found: [] };
  let entry: number | undefined;
  for (let after: number | undefined = 0; after !== undefined; ) {
    const step = { selection: { filter }, after, limit: STEP };
    const found: { id: string; seq: number }[] = await storage.run(walkContacts, principal, step);
    const ids = found.map(({ id }) => id);
    const next = found.length < STEP ? undefined : found.at(-1)?.seq;
    const input = { campaign, ids, variables, sum: sum.enrolled, entry, next };
    const done: EnrollmentStep = await storage.run(enrollContacts, principal, input);
    sum.enrolled += done.enrolled;
    sum.already_enrolled += done.already_enrolled;
    entry = done.entry;
    after = done.next;
  }
  return sum;
};

/** A page of the enrollments of a campaign. */
export const listCampaignEnrollments = longRead(
  'listCampaignEnrollments',
  async (db, principal: Principal, { id: campaign, ...query }: EnrollmentQuery & { id: string }) => {
    const { workspace } = principal;
    if (query.search) assertAlso(principal, 'contacts:read');
    const { id } = await findCampaign(db, principal, campaign);
    const { status, search, sort = '-contact' } = query;
    const isQueue = sort === 'next_attempt' || sort === '-next_attempt';
    const queued = isQueue ? [{ filter: 'queued' }] : [];
    const { enrollmentList } = lists;
    const plan = enrollmentList.plan([...equalTo({ campaign_id: id, status }), ...queued], sort);
    const page = { workspace, ...pageRequestOf(query) };
    if (search) {
      const { search: part, words } = termsOf(search);
      const needle = { ...plan.args, ...page, text: searchable(part), phone: phoneNeedle(part), words };
      const enrolled = lists.enrolledSearch(plan);
      const rows = await db.search.all(enrolled, needle);
      const isBeyond = rows.length === 0 && page.offset > 0;
      const [first] = isBeyond ? await db.search.all(enrolled, { ...needle, limit: 1, offset: 0 }) : rows;
      return pageOf(rows.map(enrollmentOf), Number(first?.total ?? 0));
    }
    const rows = (await enrollmentList.page(db, plan, lists.namedEnrollments, page)).map(enrollmentOf);
    if (isQueue && status !== 'pending') return pageOf(rows, await enrollmentList.total(db, plan, workspace));
    const enrolled = (await countEnrolled(db, workspace, [id]))(id);
    return pageOf(rows, status ? enrolled[status] : sumOf(enrolled));
  },
);

export const listContactEnrollments = longRead(
  'listContactEnrollments',
  async (db, principal: Principal, { id }: { id: string }) => {
    await getContact(db, principal, { id });
    const { workspace } = principal;
    const contact = contactId.require(id);
    return (await db.all(store.listOfContact, { workspace, contact })).map(enrollmentOf);
  },
);

type Before = store.EnrollmentRow & store.AttemptLimits;

/** The earliest time of the next attempt; '' if there is no minimum time between attempts. */
const earliestNext = ({ min_retry_minutes, last_attempt_at }: Before): string =>
  min_retry_minutes === null || last_attempt_at === null
    ? ''
    : new Date(Date.parse(last_attempt_at) + min_retry_minutes * 60_000).toISOString();

const later = (one: string, other: string): string => (one > other ? one : other);

/** When a contact that returns to the queue is due; '' for now. */
const dueAt = (before: Before, retry_at = ''): string => {
  const earliest = earliestNext(before);
  return later(retry_at, earliest > timestamp() ? earliest : '');
};

/** The state after an update. A report with the current `claim_id` keeps it, so that it can be repeated. A contact that has used all
 *  attempts of the campaign does not return to the queue: it has failed. */
const nextState = (
  before: Before,
  { status, outcome = before.outcome, retry_at, claim_id, lease_seconds }: EnrollmentUpdate,
): Pick<store.EnrollmentRow, 'status' | 'outcome' | 'claim_id' | 'leased' | 'available_at'> => {
  const { leased, available_at } = before;
  const expires_at =
    lease_seconds === undefined ? available_at : later(leaseEnd(lease_seconds), earliestNext(before));
  if (status === undefined)
    return { status: before.status, outcome, claim_id: before.claim_id, leased, available_at: expires_at };
  const claim = claim_id === undefined ? null : before.claim_id;
  if (status === 'in_progress' && claim !== null)
    return { status, outcome, claim_id: claim, leased, available_at: expires_at };
  if (status === 'pending' && before.attempts >= (before.max_attempts ?? Number.POSITIVE_INFINITY))
    return { status: 'failed', outcome, claim_id: claim, leased: 0, available_at: '' };
  const due = status === 'pending' ? dueAt(before, retry_at) : '';
  return { status, outcome, claim_id: claim, leased: 0, available_at: due };
};

/** A person who returns a contact to the queue learns why it would not be called. */
const assertAttemptsLeft = (before: Before, { status, claim_id }: EnrollmentUpdate): void => {
  const { attempts, max_attempts } = before;
  if (status !== 'pending' || claim_id !== undefined || max_attempts === null || attempts < max_attempts)
    return;
  throw conflict(
    `This contact has used ${attempts} of ${max_attempts} attempts, so it cannot return to the queue. Raise max_attempts in the schedule of the campaign first.`,
  );
};

/** A report on a claim counts only while no other claim and no change without a claim came after it. */
const assertCurrentClaim = (before: store.EnrollmentRow, change: EnrollmentUpdate): void => {
  const { status, claim_id, lease_seconds } = change;
  if (claim_id === undefined) return;
  if (claim_id !== before.claim_id) {
    throw conflict(
      'This claim is no longer current: its lease expired and the contact was handed to another caller, or the enrollment was changed without the claim. Nothing was changed. Claim contacts again.',
    );
  }
  if ((status === 'in_progress' || lease_seconds !== undefined) && !hasLease(before)) {
    throw conflict(
      `This claim has ended: the enrollment is ${before.status}. Nothing was changed. Claim contacts again.`,
    );
  }
};

/** The ids of the campaign and the contact. */
type Which = { id: string; contact: string };

const keyOf = ({ workspace }: Principal, { id, contact }: Which) => ({
  workspace,
  campaign: campaignId.require(id),
  contact: contactId.parse(contact) ?? '',
});

/** The report on a claim of a contact that was merged meanwhile is one on the enrollment of the survivor. */
const lockEnrollment = async (db: Db, principal: Principal, which: Which, claim: string | undefined) => {
  const key = keyOf(principal, which);
  const before = await db.get(store.selectEnrollmentForUpdate, key);
  if (before) return { key, before };
  const merged = claim === undefined ? undefined : await survivorOf(db, key.workspace, key.contact);
  const moved = { ...key, contact: merged?.survivor_id ?? '' };
  const found = merged && (await db.get(store.selectEnrollmentForUpdate, moved));
  if (!found) throw await missingContact(db, principal, key.contact, 'enrollment');
  return { key: moved, before: found };
};

/** Changes the status, records how an attempt went, or extends a lease. */
export const updateEnrollment = write(
  'updateEnrollment',
  async (db, principal: Principal, { id, contact, ...report }: EnrollmentUpdate & Which) => {
    const { key, before } = await lockEnrollment(db, principal, { id, contact }, report.claim_id);
    assertCurrentClaim(before, report);
    const change = byRule(before, report);
    assertAttemptsLeft(before, change);
    const given = change.variables ? mergeVariables(before.variables, change.variables) : before.variables;
    const after = nextState(before, change);
    const { outcome } = after;
    const isSame = outcome === null || outcome === before.outcome;
    const outcome_counted = isSame ? before.outcome_counted : Number(await hasOwnCounter(db, key, outcome));
    await db.run(store.updateEnrollmentRow, {
      ...before,
      ...after,
      outcome_counted,
      reason: change.status === undefined ? before.reason : null,
      variables: given,
      // Someone has decided that the contact is called.
      by_audience: change.status === 'pending' && change.claim_id === undefined ? 0 : before.by_audience,
      updated_at: timestampAfter(before.updated_at),
    });
    const names = ['status', 'outcome', 'retry_at', 'variables'] as const;
    const fields = names.filter((name) => change[name] !== undefined);
    const [listed] = await recordAllEnrolled(db, principal, key.campaign, [before], fields);
    const { variables, ...enrollment } = enrollmentOf(listed as store.ListedEnrollment);
    // Stored answers for an Idempotency-Key must not have variables.
    return Object.keys(variables).length > 0 ? enrollment : { ...enrollment, variables };
  },
);

/** Adds the variables to an enrollment. */
export const withVariables = read(
  'withVariables',
  async <E extends { campaign_id: string; contact_id: string }>(
    db: Db,
    { workspace }: Principal,
    enrollment: E,
  ) => {
    const { campaign_id: campaign, contact_id: contact } = enrollment;
    const found = await db.get(store.findVariables, { workspace, campaign, contact });
    return { ...enrollment, variables: parseVariables(found?.variables ?? null) };
  },
);

export const deleteEnrollment = write('deleteEnrollment', async (db, principal: Principal, which: Which) => {
  const key = keyOf(principal, which);
  const deleted = await db.get(store.deleteEnrollmentRow, key);
  if (!deleted)
    throw (await db.get(store.selectEnrollmentForUpdate, key))
      ? conflict(
          'The live audience of this campaign would enroll the contact again. Set the status of the enrollment to failed or completed instead.',
        )
      : await missingContact(db, principal, key.contact, 'enrollment');
  await recordUnenrolled(db, principal, [deleted], true);
});

/** Deletes the enrollments of deleted contacts. */
export const deleteEnrollmentsOfContacts = async (
  db: Db,
  principal: Principal,
  contacts: readonly { id: string }[],
): Promise<void> => {
  const { workspace } = principal;
  const ids = JSON.stringify(contacts.map(({ id }) => id));
  const deleted = await db.all(store.deleteOfContacts, { workspace, contacts: ids });
  await recordUnenrolled(db, principal, deleted);
};
