import { ApiError, isApiError } from '../../../api/api-error.ts';
import { type Answer, call } from '../../../api/client.ts';
import { apiQuery, invalidate, queryClient } from '../../../api/query.ts';
import type { Campaign } from '../../../api/types.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { enrolledTotal } from '../../../records/campaigns/labels.tsx';

/** A campaign with the `etag` of the response it came from. */
export type LoadedCampaign = Answer<'GET', '/campaigns/{id}'>;

export interface Change {
  readonly name?: string;
  readonly agent_id?: string;
  readonly status?: Campaign['status'];
  readonly audience?: Campaign['audience'];
}

export const campaignQuery = (id: string) => apiQuery('/campaigns/{id}', { params: { id } });

/** Whether no one of the campaign's segment is enrolled yet. */
export const isAwaitingAudience = ({ audience, enrolled, status }: Campaign): boolean =>
  audience !== null && status !== 'finished' && enrolledTotal(enrolled) === 0;

const MAX_ATTEMPTS = 5;

const isSame = (one: Campaign, other: Campaign): boolean =>
  one.name === other.name &&
  one.agent.id === other.agent.id &&
  one.status === other.status &&
  JSON.stringify(one.audience) === JSON.stringify(other.audience);

const refetchCampaign = (id: string): Promise<LoadedCampaign> =>
  queryClient.fetchQuery({ ...campaignQuery(id), staleTime: 0 });

/** Someone else changed the campaign meanwhile; `theirs` is its current state. */
export class EditConflictError extends ApiError {
  readonly theirs: LoadedCampaign;

  constructor(theirs: LoadedCampaign) {
    super('PRECONDITION_FAILED', t('Someone else just changed this campaign. Review it and try again.'));
    this.theirs = theirs;
  }
}

/** Saves a change, or throws `EditConflictError` if someone else changed the name, agent, status or audience. Enrollments
 *  change the ETag all the time; those changes are not conflicts. */
export const saveCampaign = async (seen: LoadedCampaign, body: Change): Promise<Campaign> => {
  const { id } = seen.data;
  let etag = seen.etag;
  for (let attempts = 1; ; attempts++) {
    try {
      const answer = await call('PATCH', '/campaigns/{id}', { params: { id }, body, ifMatch: etag });
      queryClient.setQueryData(campaignQuery(id).queryKey, answer);
      void invalidate('/campaigns', '/figures', '/contacts/{id}/enrollments');
      return answer.data;
    } catch (error) {
      if (!isApiError(error, 'PRECONDITION_FAILED')) throw error;
      const now = await refetchCampaign(id);
      if (attempts === MAX_ATTEMPTS || !isSame(now.data, seen.data)) throw new EditConflictError(now);
      etag = now.etag;
    }
  }
};
