import { ApiError, errorMessage, fieldErrors, isApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import { t } from '../../../lib/i18n.ts';
import { toast } from '../../../ui/toast.tsx';
import { cacheContact } from './fields.ts';
import { refetchContact } from './save.tsx';
import { type Tags, withoutChange } from './tag-change.ts';

const ATTEMPTS = 3;

/** Undoes a change of tags. Rejects with the reason if that is not possible. */
export const undoTags = async (id: string, before: Tags, after: Tags): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    try {
      const known = await refetchContact(id);
      const tags = withoutChange(known.data.tags, before, after);
      if (tags.join('\n') === known.data.tags.join('\n'))
        return toast.good(t('There is nothing to undo: the tags were changed again.'));
      const answer = await call('PATCH', '/contacts/{id}', {
        params: { id },
        body: { tags },
        ifMatch: known.etag,
      });
      cacheContact(id, { ...answer, data: { ...known.data, ...answer.data } });
      void invalidate('/contacts', '/tags', '/figures');
      return;
    } catch (error) {
      if (isApiError(error, 'PRECONDITION_FAILED') && attempt < ATTEMPTS) continue;
      if (!(error instanceof ApiError)) throw error;
      const reason = isApiError(error, 'NOT_FOUND')
        ? t('The contact was deleted.')
        : (fieldErrors(error).tags ?? errorMessage(error));
      throw new ApiError(error.code, t("The tags couldn't be changed back. {reason}", { reason }));
    }
  }
};
