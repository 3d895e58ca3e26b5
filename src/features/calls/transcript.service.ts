import { longRead, write } from '../../db/operation.ts';
import type { Expiry } from '../../jobs/expiry.ts';
import { END_OF_TIME, inDays, timestamp } from '../../lib/clock.ts';
import { ApiError, conflict, existing, notFound } from '../../lib/errors.ts';
import { change } from '../../records/change.ts';
import type { ById, Principal } from '../workspaces/principal.ts';
import { clearTranscripts, indexTranscript } from './call.derived.ts';
import { callId, findSnapshot } from './call.service.ts';
import { findCallById, isErased, lockCallById } from './call.store.ts';
import { getCallSettings } from './call-settings.service.ts';
import type { Turn } from './transcript.schema.ts';
import * as store from './transcript.store.ts';

const expiryOf = ({ at }: Pick<store.TranscriptRow, 'at'>, days: number) => ({
  expires_at: inDays(days, Date.parse(at)),
});

const expiresBefore = (days: number | null): string => (days === null ? END_OF_TIME : inDays(-days));

const OFF =
  'Transcripts are off in this workspace. An owner turns them on by setting transcript_days with PUT /v1/call-settings.';

/** Replaces a transcript; without turns, erases it, also while transcripts are off. The result has nothing that was said: it can be stored
 *  for an idempotency key. */
export const replaceTranscript = write(
  'replaceTranscript',
  async (
    db,
    principal: Principal,
    { id, turns: sent, isPart = false }: ById & { turns: readonly Turn[]; isPart?: boolean },
  ) => {
    const { workspace } = principal;
    const key = { workspace, id: callId.require(id) };
    const call = existing('call', await db.get(lockCallById, key));
    const announce = async () => {
      // It says only that there is another transcript.
      const event = await findSnapshot(db, workspace, call.id);
      change(db, principal, { action: 'call.updated', subject: call.id, fields: ['transcript'], event });
    };
    if (sent.length === 0) {
      const erased = await db.run(store.deleteTranscripts, { workspace, ids: JSON.stringify([call.id]) });
      if (erased > 0) {
        await db.run(clearTranscripts, { workspace, ids: JSON.stringify([call.id]) });
        await announce();
      }
      return { expires_at: null };
    }
    const { transcript_days: days } = await getCallSettings(db, principal);
    if (days === null) throw conflict(OFF);
    if (isErased(call))
      throw conflict('The contact of this call was deleted, so its transcript cannot be stored.');
    const turns = JSON.stringify(sent.map(({ speaker, text, at = null }) => ({ speaker, text, at })));
    const before = await db.get(store.findTranscript, { workspace, call: call.id });
    if (before?.turns === turns && before.at >= expiresBefore(days)) return expiryOf(before, days);
    const row = { workspace_id: workspace, call_id: call.id, turns, at: timestamp() };
    await db.run(before ? store.updateTranscript : store.insertTranscript, row);
    await indexTranscript(db, { workspace, id: call.id, turns: sent });
    // Of the parts of a transcript, only the first is announced.
    if (!(before && isPart)) await announce();
    return expiryOf(row, days);
  },
);

/** The transcript of a call. An expired one is not shown, even if it is not deleted yet. */
export const getTranscript = longRead('getTranscript', async (db, principal: Principal, { id }: ById) => {
  const { workspace } = principal;
  const call = existing('call', await db.get(findCallById, { workspace, id: callId.require(id) }));
  const { transcript_days: days } = await getCallSettings(db, principal);
  const found = await db.get(store.findTranscript, { workspace, call: call.id });
  if (days === null) throw new ApiError('NOT_FOUND', OFF);
  if (!found || found.at < expiresBefore(days)) throw notFound('transcript');
  return { turns: JSON.parse(found.turns) as Turn[], ...expiryOf(found, days) };
});

/** Few, because each can have half a mebibyte. */
const STEP = 50;

/** Deletes some transcripts that are older than the workspace keeps them, all of a workspace that has turned them off. Returns how many. */
export const expireTranscripts = write('expireTranscripts', async (db, _: null, expiry: Expiry) => {
  const { transcript_days: days } = await getCallSettings(db, expiry);
  const { workspace } = expiry;
  const expired = await db.all(store.lockExpired, { workspace, before: expiresBefore(days), limit: STEP });
  const ids = JSON.stringify(expired.map(({ call_id }) => call_id));
  await db.run(clearTranscripts, { workspace, ids });
  return db.run(store.deleteTranscripts, { workspace, ids });
});
