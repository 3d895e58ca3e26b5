import { ApiError, isApiError } from '../../../api/api-error.ts';
import { type Answer, call } from '../../../api/client.ts';
import { apiQuery, invalidate, queryClient } from '../../../api/query.ts';
import type { Campaign } from '../../../api/types.gen.ts';

/** The campaign as it was read: the record and its `etag`. */
export type Known = Answer<'GET', '/campaigns/{id}'>;

export interface Change {
  readonly name?: string;
  readonly agent_id?: string;
  readonly status?: Campaign['status'];
}

export const campaignQuery = (id: string) => apiQuery('/campaigns/{id}', { params: { id } });

const MOST_TRIES = 5;

const isSame = (one: Campaign, other: Campaign): boolean =>
  one.name === other.name && one.agent.id === other.agent.id && one.status === other.status;

const readAgain = (id: string): Promise<Known> =>
  queryClient.fetchQuery({ ...campaignQuery(id), staleTime: 0 });

/** Somebody else changed what was being changed; `theirs` is how it stands now. */
export class EditConflictError extends ApiError {
  readonly theirs: Known;

  constructor(theirs: Known) {
    super('PRECONDITION_FAILED', 'Someone else just changed this campaign. Review it and try again.');
    this.theirs = theirs;
  }
}

/** Saves a change to the campaign as it was seen, or throws `EditConflictError`. That only counts or times of enrollments are new, as
 *  happens all the time, is no reason to ask. */
export const saveCampaign = async (seen: Known, body: Change): Promise<Campaign> => {
  const { id } = seen.data;
  let etag = seen.etag;
  for (let tries = 1; ; tries++) {
    try {
      const answer = await call('PATCH', '/campaigns/{id}', { params: { id }, body, ifMatch: etag });
      queryClient.setQueryData(campaignQuery(id).queryKey, answer);
      void invalidate('/campaigns', '/figures', '/contacts/{id}/enrollments');
      return answer.data;
    } catch (error) {
      if (!isApiError(error, 'PRECONDITION_FAILED')) throw error;
      const now = await readAgain(id);
      if (tries === MOST_TRIES || !isSame(now.data, seen.data)) throw new EditConflictError(now);
      etag = now.etag;
    }
  }
};
