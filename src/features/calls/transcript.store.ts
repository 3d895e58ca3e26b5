import { sql } from 'kysely';
import { namesOf, number, rowsOf, text } from '../../db/rows.ts';
import { statement } from '../../db/statement.ts';

const columns = {
  workspace_id: number,
  call_id: text,
  /** A JSON array. */
  turns: text,
  /** When it was written. */
  at: text,
};
export type TranscriptRow = typeof columns;
const COLUMNS = namesOf(columns);

const transcripts = rowsOf<TranscriptRow>({ table: 'transcripts' });
const by = { call: 'call_id' } as const;

export const findTranscript = transcripts.find(['turns', 'at'], { by });
export const insertTranscript = transcripts.insert(COLUMNS);
export const updateTranscript = transcripts.set(['turns', 'at'], { by });

/** The oldest of those that have expired. Ones that others have locked are skipped. */
export const lockExpired = statement(
  ({ workspace, before, limit }: { workspace: number; before: string; limit: number }, dialect) => sql<{
    call_id: string;
  }>`
    select call_id from transcripts where workspace_id = ${workspace} and at < ${before}
    order by at limit ${limit} ${dialect.lockUnlockedRows()}`,
);

/** `ids` is a JSON array of the ids of calls. */
export const deleteTranscripts = statement(
  ({ workspace, ids }: { workspace: number; ids: string }, dialect) => sql<never>`
    with erased as materialized (select value from ${dialect.eachText(ids)})
    delete from transcripts where workspace_id = ${workspace} and call_id in (select value from erased)`,
);
