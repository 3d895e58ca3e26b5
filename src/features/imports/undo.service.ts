import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import type { JobRow } from '../../jobs/job.service.ts';
import { timestamp } from '../../lib/clock.ts';
import { ApiError } from '../../lib/errors.ts';
import { recordAndGetSeq } from '../audit/audit.service.ts';
import { contactsById, deleteLocked, type LockedContact, replaceFacts } from '../contacts/contact.bulk.ts';
import type { Principal } from '../workspaces/principal.ts';
import type { Former } from './decide.ts';
import type { Effect } from './import.schema.ts';
import * as store from './import.store.ts';
import {
  assertState,
  endStep,
  lockImport,
  startWork,
  UNDO_DAYS,
  undoUntil,
  windowOf,
} from './lifecycle.service.ts';
import { countChanges } from './totals.ts';

export const startUndo = write(
  'startUndo',
  async (db: Db, principal: Principal, { id }: { id: string }): Promise<void> => {
    const record = await lockImport(db, principal, id);
    assertState(record, ['applied'], 'undone');
    if (timestamp() > undoUntil(record.applied_at ?? '')) {
      throw new ApiError('CONFLICT', `An import can be undone for ${UNDO_DAYS} days; these have passed.`);
    }
    const entry = await recordAndGetSeq(db, principal, { action: 'import.undone', subject: id, counts: {} });
    await startWork(db, { ...record, entry }, 'undoing');
  },
);

type Applied = Pick<store.RowRecord, 'effect' | 'former' | 'written_at'>;

/** Undoes what one row did, unless the contact was changed since. */
const undoRow = async (
  db: Db,
  principal: Principal,
  row: Applied,
  held: LockedContact | undefined,
): Promise<Effect> => {
  if (!held || held.updated_at !== row.written_at) return 'edited_since';
  if (row.effect === 'created') {
    await deleteLocked(db, principal, held);
    return 'removed';
  }
  const { facts, since } = JSON.parse(row.former ?? '{}') as Former;
  const [now = ''] = await replaceFacts(db, principal, [{ held, changes: facts }]);
  // An earlier import finds its contact as it left it, so that it can be undone as well.
  await db.run(store.moveWritten, { workspace: principal.workspace, contact: held.id, since, now });
  return 'restored';
};

/** One step of undoing. */
export const undoStep = write(
  'undoStep',
  async (db: Db, _: null, { job, size }: { job: JobRow; size: number }): Promise<boolean> => {
    const principal: Principal = { workspace: job.workspace_id, actor: job.subject };
    const record = await lockImport(db, principal, job.subject);
    const key = { workspace: principal.workspace, id: record.id };
    const { until, isDone } = await windowOf(db, record, size);
    const rows = await db.all(store.nextToUndo, { ...key, after: record.progress, until });
    const contacts = await contactsById(
      db,
      principal,
      rows.flatMap(({ contact_id }) => contact_id ?? []),
    );
    const come: Effect[] = [];
    for (const row of rows) {
      const effect = await undoRow(db, principal, row, contacts.get(row.contact_id ?? ''));
      const contact_id = effect === 'removed' ? null : row.contact_id;
      await db.run(store.settleRow, { ...key, ...row, contact_id, former: null, effect });
      come.push(effect);
    }
    return endStep(db, job, record, {
      isDone,
      totals: countChanges(
        record.totals,
        come,
        rows.map(({ effect }) => effect),
      ),
      progress: until,
      ...(isDone && { state: 'undone' }),
    });
  },
);
