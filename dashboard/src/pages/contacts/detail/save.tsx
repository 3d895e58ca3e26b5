import { type ReactNode, useState } from 'react';
import { ApiError, isApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { invalidate, queryClient } from '../../../api/query.ts';
import { LazyDialog } from '../../../app/lazy-dialog.tsx';
import { t } from '../../../lib/i18n.ts';
import type { Decision, EditConflict } from './edit-conflict.tsx';
import {
  bodyOf,
  type Change,
  cacheContact,
  contactQuery,
  differences,
  editableOf,
  isSame,
  type LoadedContact,
  namesIn,
  withChange,
} from './fields.ts';

const loadConflict = () => import('./edit-conflict.tsx');

/** Saves fields of a contact; `seen` has their values from when editing began. Resolves when they are saved or
 *  discarded. */
export type Save = (
  mine: Change,
  seen: Change,
  confirm?: { readonly confirm_phone_change: true },
) => Promise<void>;

export const refetchContact = (id: string): Promise<LoadedContact> =>
  queryClient.fetchQuery({ ...contactQuery(id), staleTime: 0 });

/** Saves without overwriting changes that the user has not seen. If someone else changed the contact meanwhile,
 *  asks which version to use. Changes of times or CRM IDs, such as after a call, are not conflicts. */
export const useSave = (id: string): { save: Save; dialog: ReactNode } => {
  const [conflict, setConflict] = useState<EditConflict>();
  const ask = (seen: Change, theirs: LoadedContact, mine: Change) =>
    new Promise<Decision>((resolve) => {
      const decide = (decision: Decision) => {
        setConflict(undefined);
        resolve(decision);
      };
      setConflict({ seen, theirs, mine, decide });
    });

  const save: Save = async (mine, seen, confirm) => {
    let known = queryClient.getQueryData(contactQuery(id).queryKey) ?? (await refetchContact(id));
    const now = editableOf(known.data);
    let isAsked = namesIn(mine).some((name) => !isSame(now[name], seen[name]));
    for (;;) {
      if (isAsked) {
        const decision = await ask(seen, known, mine);
        if (decision === 'theirs') return;
        if (decision === 'back')
          throw new ApiError('PRECONDITION_FAILED', t('Someone else has changed this contact.'));
      }
      // The page shows the new values immediately; a new number is shown once it is accepted.
      if (!('phone_number' in mine)) cacheContact(id, { ...known, data: withChange(known.data, mine) });
      try {
        const answer = await call('PATCH', '/contacts/{id}', {
          params: { id },
          query: { include: 'fields' },
          body: { ...bodyOf(mine), ...confirm },
          ifMatch: known.etag,
        });
        cacheContact(id, { ...answer, data: { ...known.data, ...answer.data } });
        void invalidate('/contacts', '/tags', '/figures');
        return;
      } catch (error) {
        cacheContact(id, known);
        if (!isApiError(error, 'PRECONDITION_FAILED')) throw error;
        const before = editableOf(known.data);
        known = await refetchContact(id);
        isAsked = differences(before, editableOf(known.data)).length > 0;
        seen = { ...before, ...seen };
      }
    }
  };
  return {
    save,
    dialog: conflict && (
      <LazyDialog
        title={t('Someone else changed this contact')}
        load={loadConflict}
        props={{ ...conflict, onClose: () => conflict.decide('back') }}
      />
    ),
  };
};
