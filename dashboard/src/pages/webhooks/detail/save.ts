import { ApiError, isApiError } from '../../../api/api-error.ts';
import { type Answer, call } from '../../../api/client.ts';
import { apiQuery, invalidate, queryClient } from '../../../api/query.ts';
import type { Webhook, WebhookUpdate } from '../../../api/types.gen.ts';
import { t } from '../../../lib/i18n.ts';

/** An endpoint with the `etag` of the response it came from. */
export type LoadedWebhook = Answer<'GET', '/webhooks/{id}'>;

export const webhookQuery = (id: string) => apiQuery('/webhooks/{id}', { params: { id } });

/** Someone else changed the endpoint meanwhile; `theirs` is its current state. */
export class EditConflictError extends ApiError {
  readonly theirs: LoadedWebhook;

  constructor(theirs: LoadedWebhook) {
    super('PRECONDITION_FAILED', t('Someone else just changed this endpoint. Review it and try again.'));
    this.theirs = theirs;
  }
}

/** Saves a change, or throws `EditConflictError` if someone else changed the settings. Deliveries do not cause one. */
export const saveWebhook = async (seen: LoadedWebhook, body: WebhookUpdate): Promise<Webhook> => {
  const { id } = seen.data;
  try {
    const answer = await call('PATCH', '/webhooks/{id}', { params: { id }, body, ifMatch: seen.etag });
    queryClient.setQueryData(webhookQuery(id).queryKey, answer);
    void invalidate('/webhooks');
    return answer.data;
  } catch (error) {
    if (!isApiError(error, 'PRECONDITION_FAILED')) throw error;
    throw new EditConflictError(await queryClient.fetchQuery({ ...webhookQuery(id), staleTime: 0 }));
  }
};

/** Changes the status whatever the other settings are. */
export const setWebhookStatus = async (id: string, status: 'active' | 'paused'): Promise<Webhook> => {
  const answer = await call('PATCH', '/webhooks/{id}', { params: { id }, body: { status } });
  queryClient.setQueryData(webhookQuery(id).queryKey, answer);
  void invalidate('/webhooks');
  return answer.data;
};
