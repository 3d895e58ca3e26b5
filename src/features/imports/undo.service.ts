import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import type { JobRow } from '../../jobs/job.service.ts';
import { timestamp } from '../../lib/clock.ts';
import { ApiError } from '../../lib/errors.ts';
import { recordChangeNow } from '../audit/audit.service.ts';
import { contactsById, deleteLocked, type LockedContact, replaceFacts } from '../contacts/contact.bulk.ts';
import { crmIdOf, withCrmId } from '../contacts/contact.crm.ts';
import type { Principal } from '../workspaces/principal.ts';
import type { PreviousFacts } from './decide.ts';
import type { Effect } from './import.schema.ts';
import { UNDO_DAYS, undoUntil } from './import.view.ts';
import { assertState, endStep, lockImport, nextStepRange, startJob } from './lifecycle.service.ts';
import * as rowStore from './row.store.ts';
import { countChanges } from './totals.ts';

export const startUndo = write(
  'startUndo',
  async (db: Db, principal: Principal, { id }: { id: string }): Promise<void> => {
    const record = await lockImport(db, principal, id);
    assertState(record, ['applied'], 'undone');
    if (timestamp() > undoUntil(record.applied_at ?? '')) {
      throw new ApiError('CONFLICT', `An import can be undone for ${UNDO_DAYS} days. This period is over.`);
    }
    const entry = await recordChangeNow(db, principal, { action: 'import.undone', subject: id, counts: {} });
    await startJob(db, principal, { ...record, entry }, { state: 'undoing' });
  },
);

type Applied = Pick<rowStore.RowRecord, 'effect' | 'former' | 'written_at'>;

/** Undoes the effect of a row, unless the contact was changed since. */
const undoRow = async (
  db: Db,
  principal: Principal,
  row: Applied,
  contact: LockedContact | undefined,
): Promise<Effect> => {
  if (!contact || contact.updated_at !== row.written_at) return 'edited_since';
  if (row.effect === 'created') {
    await deleteLocked(db, principal, contact);
    return 'removed';
  }
  const { facts, since, crm } = JSON.parse(row.former ?? '{}') as PreviousFacts;
  // Another id was set since, which `updated_at` does not show.
  const isCurrent = crm && crmIdOf(contact.crm_ids, crm.name) === crm.after;
  const crm_ids = isCurrent && withCrmId(contact.crm_ids, crm.name, crm.before);
  const change = { contact, changes: facts, ...(crm_ids && { crm_ids }) };
  const [now = ''] = await replaceFacts(db, principal, [change]);
  // The contact is as an earlier import left it, so that import can be undone as well.
  await db.run(rowStore.replaceWrittenAt, {
    workspace: principal.workspace,
    contact: contact.id,
    since,
    now,
  });
  return 'restored';
};

export const undoStep = write(
  'undoStep',
  async (db: Db, _: null, { job, size }: { job: JobRow; size: number }): Promise<boolean> => {
    const principal: Principal = { workspace: job.workspace_id, actor: job.subject };
    const record = await lockImport(db, principal, job.subject);
    const key = { workspace: principal.workspace, id: record.id };
    const { until, isDone } = await nextStepRange(db, record, size);
    const rows = await db.all(rowStore.nextToUndo, { ...key, after: record.progress, until });
    const contacts = await contactsById(
      db,
      principal,
      rows.flatMap(({ contact_id }) => contact_id ?? []),
    );
    const effects: Effect[] = [];
    for (const row of rows) {
      const effect = await undoRow(db, principal, row, contacts.get(row.contact_id ?? ''));
      const contact_id = effect === 'removed' ? null : row.contact_id;
      await db.run(rowStore.recordOutcome, { ...key, ...row, contact_id, former: null, effect });
      effects.push(effect);
    }
    return endStep(db, job, record, {
      isDone,
      totals: countChanges(
        record.totals,
        effects,
        rows.map(({ effect }) => effect),
      ),
      progress: until,
      ...(isDone && { state: 'undone' }),
    });
  },
);
