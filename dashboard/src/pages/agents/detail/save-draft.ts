import { useMutation } from '@tanstack/react-query';
import { fieldErrors, isApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { apiQuery, invalidate, queryClient } from '../../../api/query.ts';
import { bodyWith, type Content } from '../version-query.ts';
import type { BaseVersion, Draft } from './draft.ts';

export const readAgent = (id: string) =>
  queryClient.fetchQuery({ ...apiQuery('/agents/{id}', { params: { id } }), staleTime: 0 });

/** A new draft. What was not edited is copied from the version that was loaded, and the config is sent as it was typed. */
const writeDraft = async (id: string, { text, config }: Content, base: BaseVersion) => {
  const fields = { ...(text !== base.text && { instructions: text }), based_on: base.id };
  const isConfigEdited = config.trim() !== base.config.trim();
  const write = (ifMatch: string | null) =>
    call('POST', '/agents/{id}/versions', {
      params: { id },
      ...(isConfigEdited ? { file: bodyWith('config', config.trim(), fields) } : { body: fields }),
      ifMatch,
    });
  try {
    await write(base.etag);
  } catch (error) {
    if (!isApiError(error, 'PRECONDITION_FAILED')) throw error;
    const now = await readAgent(id);
    // A newer version is a conflict. Otherwise only the name or the deployed version changed.
    if (now.data.versions[0]?.id !== base.newest) throw error;
    await write(now.etag);
  }
};

/** Whether the service has refused the configuration, at a path in it or as a whole. */
export const isConfigRefused = (error: unknown): boolean =>
  Object.keys(fieldErrors(error)).some((field) => /^config(?:\/|$)/.test(field));

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
      await writeDraft(id, typed, base);
      draft.setLastSaved(typed);
      onSaved();
      await invalidate('/agents', '/figures');
    },
  });
