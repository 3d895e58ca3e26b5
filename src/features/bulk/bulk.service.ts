import type { Db } from '../../db/db.ts';
import { longRead, read, write } from '../../db/operation.ts';
import { cancelJob, scheduleJob } from '../../jobs/job.service.ts';
import { timestamp } from '../../lib/clock.ts';
import { ApiError, invalid, notFound } from '../../lib/errors.ts';
import { typeId } from '../../lib/ids.ts';
import { type Page, type PageRequest, pageRequestOf } from '../../lib/page.ts';
import { type Action, recordChange, recordChangeNow } from '../audit/audit.service.ts';
import { findEnrollable } from '../campaigns/enrollment.service.ts';
import { countSelection } from '../contacts/contact.export.ts';
import { assertTagChange, type Blocked } from '../contacts/contact.selection.service.ts';
import type { ContactFilter } from '../contacts/contact.terms.ts';
import { isKeyWithout, type Principal } from '../workspaces/principal.ts';
import type { BulkAction, BulkJobCreate, BulkSelection } from './bulk.schema.ts';
import * as store from './bulk.store.ts';

const bulkJobId = typeId('bulk_job');

export const RUNNING = 'bulk.running';
const EXPIRING = 'bulk.expiring';
const DAY_MS = 86_400_000;
/** How long an ended job is listed, and an export can be downloaded. */
export const LISTED_DAYS = 30;

/** What an action needs to know besides its selection. */
export interface BulkParameters {
  readonly add?: string[] | undefined;
  readonly remove?: string[] | undefined;
  readonly tag?: string;
  readonly to?: string;
  readonly campaign_id?: string;
  readonly created_until?: string | undefined;
}

const viewOf = (row: store.BulkJobWithEmail) => {
  const {
    add = [],
    remove = [],
    tag = null,
    to = null,
    campaign_id = null,
  } = JSON.parse(row.parameters) as BulkParameters;
  return {
    id: row.id,
    action: row.action,
    status: row.status,
    filter: row.filter === null ? null : (JSON.parse(row.filter) as ContactFilter),
    excluded: row.excluded,
    add,
    remove,
    tag,
    to,
    campaign_id,
    total: row.total,
    processed: row.processed,
    changed: row.changed,
    unchanged: row.unchanged,
    missing: row.missing,
    blocked: row.blocked,
    blocked_contacts: JSON.parse(row.reasons) as Blocked[],
    error: row.error,
    created_by: row.created_by,
    created_by_email: row.created_by_email,
    created_at: row.created_at,
    started_at: row.started_at,
    finished_at: row.finished_at,
  };
};
type BulkJob = ReturnType<typeof viewOf>;

/** Keys that may not list users do not see their addresses. */
const shownTo = (principal: Principal, job: BulkJob): BulkJob =>
  isKeyWithout(principal, 'admin') ? { ...job, created_by_email: null } : job;

const parseBulkJobId = (id: string): string => {
  const parsed = bulkJobId.parse(id);
  if (!parsed) throw notFound('bulk job');
  return parsed;
};

/** The contacts of a job. Renaming a tag is about all contacts that have it. */
export const selectionOf = (job: BulkJobCreate): BulkSelection =>
  job.action === 'rename_tag' ? { filter: { tag: job.tag }, except: [] } : job.selection;

/** Rejects a change that contradicts itself. */
export const assertConsistent = (job: BulkJobCreate): void => {
  if (job.action === 'tag') assertTagChange(job);
  if (job.action === 'rename_tag' && job.tag === job.to) {
    throw invalid([{ field: 'to', message: 'must differ from tag, which it replaces.' }]);
  }
};

/** How many contacts a selection has. */
export const countSelected = longRead(
  'countSelected',
  async (db: Db, principal: Principal, selection: BulkSelection): Promise<number> => {
    if ('ids' in selection) return selection.ids.length;
    const count = await countSelection(db, principal, selection.filter);
    return Math.max(0, count - selection.except.length);
  },
);

const parametersOf = (job: BulkJobCreate): BulkParameters => {
  if (job.action === 'tag') return { add: job.add, remove: job.remove };
  if (job.action === 'rename_tag') return { tag: job.tag, to: job.to };
  return job.action === 'enroll' ? { campaign_id: job.campaign_id } : {};
};

/** The audit entry of a job is that of its changes. */
const AUDITED: Readonly<Record<BulkAction, { action: Action; counter: string; fields?: string[] }>> = {
  tag: { action: 'contact.updated', counter: 'changed', fields: ['tags'] },
  rename_tag: { action: 'contact.updated', counter: 'changed', fields: ['tags'] },
  delete: { action: 'contact.deleted', counter: 'deleted' },
  enroll: { action: 'enrollment.created', counter: 'enrolled' },
  export: { action: 'contact.exported', counter: 'exported' },
};

export const auditCounts = (action: BulkAction, count: number) => ({ [AUDITED[action].counter]: count });

export const scheduleExpiry = (db: Db, workspace: number, id: string): Promise<void> =>
  scheduleJob(db, { workspace, kind: EXPIRING, subject: id, inMs: LISTED_DAYS * DAY_MS });

/** Creates a job and puts it into the queue. An export has no steps: it is ready for download. */
export const createBulkJob = write(
  'createBulkJob',
  async (
    db: Db,
    principal: Principal,
    { job, total }: { job: BulkJobCreate; total: number },
  ): Promise<BulkJob> => {
    const { workspace } = principal;
    const parameters = parametersOf(job);
    const campaign = parameters.campaign_id && (await findEnrollable(db, principal, parameters.campaign_id));
    const selection = selectionOf(job);
    const isExport = job.action === 'export';
    const now = timestamp();
    const id = bulkJobId.create();
    const { action, fields } = AUDITED[job.action];
    const entry = await recordChangeNow(db, principal, {
      action,
      ...(campaign && { parent: campaign }),
      ...(fields && { fields }),
      counts: auditCounts(job.action, isExport ? total : 0),
    });
    const row: store.BulkJobRow = {
      workspace_id: workspace,
      id,
      action: job.action,
      status: isExport ? 'done' : 'queued',
      filter: 'ids' in selection ? null : JSON.stringify(selection.filter),
      ids: JSON.stringify('ids' in selection ? selection.ids : selection.except),
      excluded: 'ids' in selection ? 0 : selection.except.length,
      parameters: JSON.stringify({
        ...parameters,
        ...(campaign && { campaign_id: campaign }),
        ...('filter' in selection && { created_until: selection.created_until }),
      }),
      until_seq: Number((await db.get(store.lastContact, { workspace }))?.seq ?? 0),
      progress: 0,
      total,
      processed: isExport ? total : 0,
      changed: 0,
      unchanged: isExport ? total : 0,
      missing: 0,
      blocked: 0,
      reasons: '[]',
      error: null,
      entry,
      created_by: principal.actor,
      request_id: principal.request ?? null,
      created_at: now,
      started_at: isExport ? now : null,
      finished_at: isExport ? now : null,
    };
    await db.run(store.insertBulkJob, row);
    if (isExport) await scheduleExpiry(db, workspace, id);
    else await scheduleJob(db, { workspace, kind: RUNNING, subject: id });
    return findView(db, principal, id);
  },
);

const findView = async (db: Db, principal: Principal, id: string): Promise<BulkJob> => {
  const found = await db.get(store.findBulkJob, { workspace: principal.workspace, id });
  if (!found) throw notFound('bulk job');
  return shownTo(principal, viewOf(found));
};

export const getBulkJob = read(
  'getBulkJob',
  async (db: Db, principal: Principal, { id }: { id: string }): Promise<BulkJob> =>
    findView(db, principal, parseBulkJobId(id)),
);

/** One page, newest first. */
export const listBulkJobs = longRead(
  'listBulkJobs',
  async (db: Db, principal: Principal, query: Partial<PageRequest>): Promise<Page> => {
    const { workspace } = principal;
    const rows = await db.all(store.listBulkJobs, { workspace, ...pageRequestOf(query) });
    const total = Number((await db.get(store.countBulkJobs, { workspace }))?.count);
    return { json: rows.map((row) => JSON.stringify(shownTo(principal, viewOf(row)))).join(','), total };
  },
);

export const isEnded = ({ status }: Pick<store.BulkJobRow, 'status'>): boolean =>
  status !== 'queued' && status !== 'running';

/** Stops a job after its current step. What it has changed is kept. */
export const cancelBulkJob = write(
  'cancelBulkJob',
  async (db: Db, principal: Principal, { id }: { id: string }): Promise<BulkJob> => {
    const key = { workspace: principal.workspace, id: parseBulkJobId(id) };
    const row = await db.get(store.selectBulkJobForUpdate, key);
    if (!row) throw notFound('bulk job');
    if (isEnded(row)) {
      throw new ApiError('CONFLICT', `This job has ended: it is ${row.status}. Nothing was canceled.`);
    }
    await db.run(store.updateBulkJob, { ...row, status: 'canceled', finished_at: timestamp() });
    await cancelJob(db, { workspace: key.workspace, kind: RUNNING, subject: key.id });
    await scheduleExpiry(db, key.workspace, key.id);
    recordChange(db, principal, { action: 'bulk_job.canceled', subject: key.id });
    return findView(db, principal, key.id);
  },
);

export interface ExportSource {
  readonly selection: BulkSelection;
  /** Contacts that were created later are not part of the export. */
  readonly createdUntil: string;
}

/** What an export job downloads. */
export const findExport = longRead(
  'findExport',
  async (db: Db, { workspace }: Principal, { id }: { id: string }): Promise<ExportSource> => {
    const row = await db.get(store.findWholeBulkJob, { workspace, id: parseBulkJobId(id) });
    if (!row) throw notFound('bulk job');
    if (row.action !== 'export') {
      throw new ApiError('CONFLICT', 'This job is not an export. Create one with the action "export".');
    }
    return { selection: storedSelection(row), createdUntil: createdUntil(row) };
  },
);

/** Contacts that were created later are not part of a job. */
export const createdUntil = ({ created_at, parameters }: store.BulkJobRow): string => {
  const { created_until = created_at } = JSON.parse(parameters) as BulkParameters;
  return created_until < created_at ? created_until : created_at;
};

export const storedSelection = ({ filter, ids }: store.BulkJobRow): BulkSelection =>
  filter === null
    ? { ids: JSON.parse(ids) as string[] }
    : { filter: JSON.parse(filter) as ContactFilter, except: JSON.parse(ids) as string[] };
