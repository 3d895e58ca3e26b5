import { sql } from 'kysely';
import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import { statementsOver } from '../../db/statement.ts';
import type { Expiry } from '../../jobs/expiry.ts';
import { MAX_PROGRESS_DAYS } from './campaign.schema.ts';
import { hourOf } from './progress.counts.ts';

/** Longer than the progress that can be read, whose first day begins earlier in some time zones. */
export const PROGRESS_DAYS = MAX_PROGRESS_DAYS + 2;

/** Few, so that other writes do not wait long for a step. */
const STEP = 500;

type Args = { workspace: number; hour: string; limit: number };

const statement = statementsOver<Record<string, never>>({ readsDerived: true });

/** Deletes hourly counters (see progress.counts.ts) of all campaigns, each from one index range. */
export const deleteProgressBefore = statement(
  (_, { workspace, hour, limit }: Args) => sql<never>`
    with expired as materialized (
      select tallies.list, tallies.part from campaigns
      join tallies on tallies.workspace_id = ${workspace} and tallies.list >= 'progress@' || campaigns.id || '/'
        and tallies.list < 'progress@' || campaigns.id || '/' || ${hour}
      where campaigns.workspace_id = ${workspace} limit ${limit}
    )
    delete from tallies where workspace_id = ${workspace} and (list, part) in (select list, part from expired)`,
);

/** Deletes some hourly counters that no progress shows any more, and returns how many. */
export const expireProgress = write(
  'expireProgress',
  async (db: Db, _: null, { workspace, before }: Expiry): Promise<number> =>
    db.run(deleteProgressBefore, { workspace, hour: hourOf(before), limit: STEP }),
);
