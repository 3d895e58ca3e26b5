import { useMutation } from '@tanstack/react-query';
import { isApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { apiQuery, invalidate, queryClient } from '../../../api/query.ts';
import type { BaseVersion, Draft } from './draft.ts';

export const readAgent = (id: string) =>
  queryClient.fetchQuery({ ...apiQuery('/agents/{id}', { params: { id } }), staleTime: 0 });

/** Saves a new draft based on the version that was loaded. */
const writeDraft = async (id: string, text: string, base: BaseVersion) => {
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

interface SaveCallbacks {
  /** Runs before the agent is read again. */
  readonly onSaved: () => void;
  readonly onSuccess: () => void;
  readonly onError: (error: unknown) => void;
}

export const useSaveDraft = (id: string, draft: Draft, { onSaved, ...callbacks }: SaveCallbacks) =>
  useMutation({
    ...callbacks,
    mutationFn: async ({ text, base }: { readonly text: string; readonly base: BaseVersion }) => {
      await writeDraft(id, text, base);
      draft.setLastSaved(text);
      onSaved();
      await invalidate('/agents', '/figures');
    },
  });
