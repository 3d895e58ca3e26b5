import { longRead, write } from '../../db/operation.ts';
import { conflict, existing } from '../../lib/errors.ts';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import { change, changedFields } from '../../records/change.ts';
import type { ById, Principal } from '../workspaces/principal.ts';
import { updateDerivedOfCall } from './call.derived.ts';
import type { CallUpdate } from './call.schema.ts';
import { callId, findSnapshot, getCall } from './call.service.ts';
import * as store from './call.store.ts';

/** Changes what users add to a call. */
export const updateCall = write(
  'updateCall',
  async (db, principal: Principal, { id, note, tags }: ById & CallUpdate) => {
    const { workspace } = principal;
    const known = existing('call', await db.get(store.lockCallById, { workspace, id: callId.require(id) }));
    if (store.isErased(known) && (note || tags?.length))
      throw conflict('The contact of this call was deleted, so a note or tags cannot be stored.');
    const next = {
      ...known,
      note: note === undefined ? known.note : note || null,
      tags: tags === undefined ? known.tags : tags.length === 0 ? null : JSON.stringify(tags),
    };
    const fields = changedFields(known, next, store.REMARKS);
    if (fields.length > 0) {
      await db.run(store.updateRemarks, next);
      await updateDerivedOfCall(db, next, known);
      const event = await findSnapshot(db, workspace, known.id);
      change(db, principal, { action: 'call.updated', subject: known.id, fields, event });
    }
    return getCall(db, principal, { id });
  },
);

/** The tags that calls have. */
export const listCallTags = longRead(
  'listCallTags',
  (db, { workspace }: Principal): MaybePromise<{ tag: string }[]> => db.all(store.findTags, { workspace }),
);
