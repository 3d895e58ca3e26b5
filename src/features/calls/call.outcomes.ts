import { sql } from 'kysely';
import type { Db } from '../../db/db.ts';
import { longRead } from '../../db/operation.ts';
import { statementsOver } from '../../db/statement.ts';
import { requireVersionId, type VersionKey } from '../agents/deploy.service.ts';
import type { Principal } from '../workspaces/principal.ts';
import { type CallStatus, callStatuses, finalStatuses } from './call.schema.ts';

type StatusCount = { status: CallStatus; count: number; timed: number; seconds: number | null };

/** `|| ''` keeps SQLite from reading all calls in the order of an index by status. */
export const countByStatus = statementsOver<object>()(
  (_, { workspace, version }: { workspace: number; version: string }) => sql<StatusCount>`
    select c.status, count(*) as count, count(c.seconds) as timed, sum(c.seconds) as seconds
    from (
      select status || '' as status, seconds from calls where workspace_id = ${workspace} and version_id = ${version}
    ) as c group by c.status`,
);

export interface Outcomes {
  total: number;
  by_status: Record<CallStatus, number>;
  /** Completed ones among those that ended, from 0 to 1; null if none ended. */
  success_rate: number | null;
  /** Of the completed ones that report a duration; null if there are none. */
  average_seconds: number | null;
}

/** The outcomes of the calls and messages in which a version spoke. */
export const getVersionOutcomes = longRead(
  'getVersionOutcomes',
  async (db: Db, principal: Principal, key: VersionKey): Promise<Outcomes> => {
    const version = await requireVersionId(db, principal, key);
    const rows = await db.all(countByStatus, { workspace: principal.workspace, version });
    const counts = new Map(rows.map((row) => [row.status, row]));
    const countOf = (status: CallStatus) => Number(counts.get(status)?.count ?? 0);
    const sumOf = (statuses: readonly CallStatus[]) =>
      statuses.reduce((sum, status) => sum + countOf(status), 0);
    const ended = sumOf(finalStatuses);
    const completed = counts.get('completed');
    const timed = Number(completed?.timed ?? 0);
    return {
      total: sumOf(callStatuses),
      by_status: Object.fromEntries(callStatuses.map((status) => [status, countOf(status)])) as Record<
        CallStatus,
        number
      >,
      success_rate: ended === 0 ? null : countOf('completed') / ended,
      average_seconds: timed === 0 ? null : Number(completed?.seconds) / timed,
    };
  },
);
