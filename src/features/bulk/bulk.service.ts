import type { Db } from '../../db/db.ts';
import { longRead, read, write } from '../../db/operation.ts';
import { pickColumns } from '../../db/statement.ts';
import { cancelJob, hasJobs, scheduleJob } from '../../jobs/job.service.ts';
import { DAY_MS, inDays, timestamp } from '../../lib/clock.ts';
import { conflict, existing, notFound, unavailable } from '../../lib/errors.ts';
import { typeId } from '../../lib/ids.ts';
import { type Page, type PageRequest, pageRequestOf } from '../../lib/page.ts';
import type { KeyScope } from '../../lib/scopes.ts';
import type { Action } from '../../records/actions.ts';
import { change, changeInSteps } from '../../records/change.ts';
import { findEnrollable } from '../campaigns/enrollment.service.ts';
import { countByIds } from '../contacts/contact.export.ts';
import { resolved, scopesOfFilter } from '../contacts/contact.filters.ts';
import { contactFilter, storedFilter, writtenFilter } from '../contacts/contact.schema.ts';
import type { Blocked } from '../contacts/contact.service.ts';
import type { ContactFilter } from '../contacts/contact.terms.ts';
import { countFiltered } from '../contacts/list.service.ts';
import { fieldsFor } from '../fields/field.store.ts';
import { mergeValues, nameOfField, type SentValues } from '../fields/field.values.ts';
import { type ById, isKeyWithout, type Principal } from '../workspaces/principal.ts';
import {
  type BulkCount,
  type BulkJobCreate,
  type BulkSelection,
  bulkCounts,
  type JobAction,
  jobActions,
  undoableActions,
} from './bulk.schema.ts';
import * as store from './bulk.store.ts';

export const bulkJobId = typeId('bulk_job');

export const RUNNING = 'bulk.running';
const EXPIRING = 'bulk.expiring';
/** How long an ended job is listed. */
const LISTED_DAYS = 30;
/** How long an export can be downloaded. Its filter may have the name of a person, so it is deleted soon. */
const EXPORT_DAYS = 1;

/** Unfinished jobs of a workspace. Its jobs share its turns, so more would only wait. */
export const MAX_UNFINISHED = 20;

/** What an action needs to know besides its selection. */
export interface BulkParameters {
  readonly add?: string[] | undefined;
  readonly remove?: string[] | undefined;
  readonly tag?: string;
  readonly to?: string;
  readonly campaign_id?: string;
  /** Null after the job has ended: they may be personal data. */
  readonly fields?: SentValues | null;
  readonly keys?: string[];
  readonly created_until?: string | undefined;
  /** The scopes that a key needs to undo the job: those that creating it needed. */
  readonly scopes?: KeyScope[];
  /** When a renamed tag was changed in segments, by their ids. */
  readonly segments?: Readonly<Record<string, string>>;
  /** Of an undo. */
  readonly undoes?: string;
}

const NO_PARAMETERS = { add: [], remove: [], tag: null, to: null, campaign_id: null, undoes: null };

const SHOWN = [
  'id',
  'action',
  'status',
  'excluded',
  'undone_by',
  ...bulkCounts,
  'error',
  'created_by',
  'created_by_email',
  'created_at',
  'started_at',
  'finished_at',
] as const;

/** Whether an undo has ended before it restored all contacts. */
const isUnfinished = (undo: store.BulkJobRow['status'] | null): boolean =>
  undo === 'canceled' || undo === 'failed';

/** Until when a job can be undone; null if it cannot. */
export const undoUntil = (row: store.BulkJobWithEmail): string | null => {
  const { action, finished_at, undone_by, undo_status } = row;
  // Also if no contact was changed: a key that may not read contacts would learn that.
  if (!undoableActions.some((each) => each === action) || finished_at === null) return null;
  if (undone_by !== null && !isUnfinished(undo_status)) return null;
  return new Date(Date.parse(finished_at) + LISTED_DAYS * DAY_MS).toISOString();
};

const viewOf = (row: store.BulkJobWithEmail) => {
  const {
    created_until: _,
    fields: __,
    scopes: ___,
    segments: ____,
    keys = [],
    ...parameters
  } = JSON.parse(row.parameters) as BulkParameters;
  return {
    ...pickColumns(row, SHOWN),
    filter: row.filter === null ? null : writtenFilter(storedFilter(row.filter)),
    ...NO_PARAMETERS,
    ...parameters,
    fields: keys,
    undo_until: undoUntil(row),
    blocked_contacts: JSON.parse(row.reasons) as Blocked[],
  };
};
type Counts = Readonly<Record<BulkCount, number | null>>;
type BulkJob = Omit<ReturnType<typeof viewOf>, BulkCount> & Counts;

const NO_COUNTS = {
  ...(Object.fromEntries(bulkCounts.map((name) => [name, null])) as Record<BulkCount, null>),
  blocked_contacts: [],
};

/** Keys that may not list users do not see their addresses. A key that may not read contacts does not see how many match a
 *  filter. An answer that was stored for an idempotency key can be that of another key. */
export const shownTo = (principal: Principal, job: BulkJob): BulkJob => ({
  ...job,
  ...(isKeyWithout(principal, 'admin') && { created_by_email: null }),
  ...(isKeyWithout(principal, 'contacts:read') && NO_COUNTS),
});

/** The contacts of a job. Renaming a tag is about all contacts that have it. */
const selectionOf = (job: BulkJobCreate): BulkSelection =>
  job.action === 'rename_tag' ? { filter: { tag: job.tag }, except: [] } : job.selection;

/** How many contacts a job has, and how many of its ids are known to match none. */
type SelectionCount = Readonly<Record<'total' | 'missing', number>>;

/** Counts the contacts of a job. Of ids, an export has all contacts now; the steps of other jobs find out which exist. */
export const countSelected = longRead(
  'countSelected',
  async (db, principal: Principal, job: BulkJobCreate): Promise<SelectionCount> => {
    const selection = selectionOf(job);
    if ('ids' in selection) {
      const total = selection.ids.length;
      const isExport = job.action === 'export';
      return { total, missing: isExport ? total - (await countByIds(db, principal, selection.ids)) : 0 };
    }
    const filter = await resolved(db, principal, selection.filter, 'selection.filter');
    const count = await countFiltered(db, principal, filter);
    return { total: Math.max(0, count - (await countByIds(db, principal, selection.except))), missing: 0 };
  },
);

/** The audit entry of a job is that of its changes. */
const AUDITED: Readonly<Record<JobAction, { action: Action; counter: string; fields?: string[] }>> = {
  tag: { action: 'contact.updated', counter: 'changed', fields: ['tags'] },
  rename_tag: { action: 'contact.updated', counter: 'changed', fields: ['tags'] },
  set_fields: { action: 'contact.updated', counter: 'changed' },
  delete: { action: 'contact.deleted', counter: 'deleted' },
  enroll: { action: 'enrollment.created', counter: 'enrolled' },
  export: { action: 'contact.exported', counter: 'exported' },
  undo: { action: 'bulk_job.undone', counter: 'restored' },
};

export const auditCounts = (action: JobAction, count: number, blocked = 0) => ({
  [AUDITED[action].counter]: count,
  ...(action === 'undo' && blocked > 0 && { edited_since: blocked }),
});

/** The job that deletes expired records may be late. */
export const expired = (): store.Expired => ({
  before: inDays(-LISTED_DAYS),
  exportsBefore: inDays(-EXPORT_DAYS),
});

const scheduleExpiry = (db: Db, { workspace_id, id, action }: store.BulkJobRow): Promise<void> => {
  const days = action === 'export' ? EXPORT_DAYS : LISTED_DAYS;
  return scheduleJob(db, { workspace: workspace_id, kind: EXPIRING, subject: id, inMs: days * DAY_MS });
};

/** Filters whose value is a text that may be personal data. */
const TYPED_FILTERS = ['search', 'email', 'company', 'filter'] as const satisfies (keyof ContactFilter)[];

/** Ends a job: it expires, and values of fields and typed texts of its filter are removed, because a contact that is deleted later must not remain
 *  there. Part of a filter would select other contacts, so all of it is removed. */
export const endBulkJob = async (
  db: Db,
  row: store.BulkJobRow,
  end: Partial<store.BulkJobRow> & Pick<store.BulkJobRow, 'status' | 'finished_at'>,
): Promise<void> => {
  const parameters = JSON.parse(end.parameters ?? row.parameters) as BulkParameters;
  const filter: ContactFilter = storedFilter(row.filter ?? '{}');
  await db.run(store.updateEndedJob, {
    ...row,
    ...end,
    ...(parameters.fields && { parameters: JSON.stringify({ ...parameters, fields: null }) }),
    ...(TYPED_FILTERS.some((name) => filter[name] !== undefined) && { filter: null, ids: '[]' }),
  });
  await scheduleExpiry(db, row);
};

export const assertNotFull = async (db: Db, workspace: number): Promise<void> => {
  if (!(await hasJobs(db, { workspace, kind: RUNNING, limit: MAX_UNFINISHED }))) return;
  throw conflict(
    `This workspace already has ${MAX_UNFINISHED} unfinished bulk jobs. Wait for one to finish, or cancel one.`,
    undefined,
    { 'Retry-After': '5' },
  );
};

/** A new job that waits in the queue. */
export const queued = (principal: Principal, created_at: string) => ({
  workspace_id: principal.workspace,
  status: 'queued' as const,
  filter: null,
  ids: '[]',
  excluded: 0,
  until_seq: 0,
  progress: 0,
  processed: 0,
  changed: 0,
  unchanged: 0,
  missing: 0,
  blocked: 0,
  reasons: '[]',
  error: null,
  created_by: principal.actor,
  request_id: principal.request ?? null,
  created_at,
  started_at: null,
  finished_at: null,
  undone_by: null,
});

/** An export hands out contacts, and so does a claim of those that were enrolled. A change of contacts reveals which of them match the
 *  filter: a later request tells whether a known contact was changed. */
export const scopesOf = (job: BulkJobCreate): KeyScope[] => {
  const { action } = job;
  const isByFilter = job.action !== 'rename_tag' && 'filter' in job.selection;
  return [
    ...(action === 'enroll' ? (['campaigns:write'] as const) : []),
    ...(action === 'enroll' || action === 'export' || isByFilter ? (['contacts:read'] as const) : []),
  ];
};

/** Creates a job and puts it into the queue. An export has no steps: it is ready for download. */
export const createBulkJob = write(
  'createBulkJob',
  async (
    db,
    principal: Principal,
    { job, count: { total, missing } }: { job: BulkJobCreate; count: SelectionCount },
  ): Promise<BulkJob> => {
    const { workspace } = principal;
    const isExport = job.action === 'export';
    if (!isExport) await assertNotFull(db, workspace);
    const { action: _, selection: __, ...others } = { selection: undefined, ...job };
    const sent = 'fields' in others ? others.fields : undefined;
    if (sent) mergeValues('{}', sent, await fieldsFor(db, principal, [{ fields: sent }]));
    const parameters: BulkParameters = { ...others, ...(sent && { keys: Object.keys(sent).sort() }) };
    const campaign = parameters.campaign_id && (await findEnrollable(db, principal, parameters.campaign_id));
    const selection = selectionOf(job);
    const now = timestamp();
    const id = bulkJobId.create();
    const { action, fields = parameters.keys?.map((key) => nameOfField({ key })) } = AUDITED[job.action];
    const entry = await changeInSteps(db, principal, {
      action,
      subject: id,
      ...(campaign && { parent: campaign }),
      ...(fields && { fields }),
      counts: auditCounts(job.action, isExport ? total - missing : 0),
    });
    const scopes = scopesOf(job);
    const row: store.BulkJobRow = {
      ...queued(principal, now),
      id,
      action: job.action,
      ...('ids' in selection
        ? { ids: JSON.stringify(selection.ids) }
        : {
            filter: JSON.stringify(writtenFilter(selection.filter)),
            ids: JSON.stringify(selection.except),
            excluded: selection.except.length,
          }),
      parameters: JSON.stringify({
        ...parameters,
        scopes: 'filter' in selection ? [...scopes, ...scopesOfFilter(selection.filter)] : scopes,
        ...(campaign && { campaign_id: campaign }),
        ...('filter' in selection && { created_until: selection.created_until }),
      }),
      until_seq: Number((await db.get(store.lastContact, { workspace }))?.seq ?? 0),
      total,
      unchanged: isExport ? total - missing : 0,
      missing,
      entry,
      ...(isExport && { status: 'done', processed: total, started_at: now, finished_at: now }),
    };
    await db.run(store.insertBulkJob, row);
    if (isExport) await scheduleExpiry(db, row);
    else await scheduleJob(db, { workspace, kind: RUNNING, subject: id });
    return findView(db, principal, id);
  },
);

export const findView = async (db: Db, principal: Principal, id: string): Promise<BulkJob> => {
  const key = { workspace: principal.workspace, id, ...expired() };
  return shownTo(principal, viewOf(existing('bulk job', await db.get(store.findBulkJob, key))));
};

export const getBulkJob = read('getBulkJob', async (db, principal: Principal, { id }: ById) =>
  findView(db, principal, bulkJobId.require(id)),
);

/** One page, newest first. */
export const listBulkJobs = longRead(
  'listBulkJobs',
  async (db, principal: Principal, query: Partial<PageRequest>): Promise<Page> => {
    const { workspace } = principal;
    const args = { workspace, ...expired() };
    const rows = await db.all(store.listBulkJobs, { ...args, ...pageRequestOf(query) });
    const total = Number((await db.get(store.countBulkJobs, args))?.count);
    return { json: rows.map((row) => JSON.stringify(shownTo(principal, viewOf(row)))).join(','), total };
  },
);

export const isEnded = ({ status }: Pick<store.BulkJobRow, 'status'>): boolean =>
  status !== 'queued' && status !== 'running';

/** Stops a job after its current step. Its changes so far remain. */
export const cancelBulkJob = write('cancelBulkJob', async (db, principal: Principal, { id }: ById) => {
  const key = { workspace: principal.workspace, id: bulkJobId.require(id) };
  const row = existing('bulk job', await db.get(store.selectBulkJobForUpdate, key));
  if (isEnded(row)) throw conflict(`This job has ended: it is ${row.status}. Nothing was canceled.`);
  await endBulkJob(db, row, { status: 'canceled', finished_at: timestamp() });
  await cancelJob(db, { workspace: key.workspace, kind: RUNNING, subject: key.id });
  change(db, principal, { action: 'bulk_job.canceled', subject: key.id });
  return findView(db, principal, key.id);
});

/** What an export job downloads. */
export const findExport = longRead('findExport', async (db, { workspace }: Principal, { id }: ById) => {
  const row = await db.get(store.findWholeBulkJob, { workspace, id: bulkJobId.require(id) });
  if (!row || (row.action === 'export' && (row.finished_at ?? '') <= expired().exportsBefore))
    throw notFound('bulk job');
  if (row.action !== 'export')
    throw conflict('This job is not an export. Create one with the action "export".');
  return storedSelection(row);
});

/** A job of a newer version waits for an instance that knows its action and its filters. Here it would change other contacts. */
const assertKnown = (action: string, filter: ContactFilter = {}): void => {
  const unknown = Object.keys(filter).filter((name) => !(name in contactFilter.fields || name === 'filter'));
  if (!jobActions.some((each) => each === action)) unknown.push(action);
  if (unknown.length > 0)
    throw unavailable(
      'A newer version of Roster created this job. Retry when all instances have been upgraded.',
    );
};

/** The contacts of a job. Those that were created later are not part of it; SQLite gives the `seq` of a deleted last contact to the
 *  next one, so the time is compared as well. */
export const storedSelection = (row: store.BulkJobRow): BulkSelection => {
  const ids = JSON.parse(row.ids) as string[];
  const filter = row.filter === null ? undefined : storedFilter(row.filter);
  assertKnown(row.action, filter);
  const { created_until: wanted = row.created_at } = JSON.parse(row.parameters) as BulkParameters;
  const created_until = wanted < row.created_at ? wanted : row.created_at;
  return filter ? { filter, except: ids, created_until } : { ids, created_until };
};
