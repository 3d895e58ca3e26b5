import { useMutation } from '@tanstack/react-query';
import { ApiError, isApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { apiQuery, invalidate, queryClient } from '../../../api/query.ts';
import { t } from '../../../lib/i18n.ts';
import { bodyWith, type Content } from '../version-query.ts';
import type { BaseVersion, Draft } from './draft.ts';

export const readAgent = (id: string) =>
  queryClient.fetchQuery({ ...apiQuery('/agents/{id}', { params: { id } }), staleTime: 0 });

/** A new draft with other instructions and the config of the version that was loaded. */
const writeText = async (id: string, text: string, base: BaseVersion) => {
  const write = (ifMatch: string | null) =>
    call('PATCH', '/agents/{id}', {
      params: { id },
      body: { instructions: text, based_on: base.id },
      ifMatch,
    });
  try {
    return await write(base.etag);
  } catch (error) {
    if (!isApiError(error, 'PRECONDITION_FAILED')) throw error;
    const now = await readAgent(id);
    // A newer version is a conflict. Otherwise only the name or the deployed version changed.
    if (now.data.versions[0]?.id !== base.newest) throw error;
    return write(now.etag);
  }
};

/** A new draft with both. The config is sent as it was typed. */
const writeBoth = async (id: string, { text, config }: Content, base: BaseVersion) => {
  const now = await readAgent(id);
  if (now.data.versions[0]?.id !== base.newest)
    throw new ApiError('PRECONDITION_FAILED', t('Someone else has saved a version.'));
  const instructions = text === base.text ? {} : { instructions: text };
  return call('POST', '/agents/{id}/versions', {
    params: { id },
    file: bodyWith('config', config.trim(), { ...instructions, based_on: base.id }),
  });
};

interface SaveCallbacks {
  /** Runs before the agent is read again. */
  readonly onSaved: () => void;
  readonly onSuccess: () => void;
  readonly onError: (error: unknown) => void;
}

export const useSaveDraft = (id: string, draft: Draft, { onSaved, ...callbacks }: SaveCallbacks) =>
  useMutation({
    ...callbacks,
    mutationFn: async ({ typed, base }: { readonly typed: Content; readonly base: BaseVersion }) => {
      await (typed.config.trim() === base.config.trim()
        ? writeText(id, typed.text, base)
        : writeBoth(id, typed, base));
      draft.setLastSaved(typed);
      onSaved();
      await invalidate('/agents', '/figures');
    },
  });
