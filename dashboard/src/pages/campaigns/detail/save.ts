import { ApiError, isApiError } from '../../../api/api-error.ts';
import { type Answer, call } from '../../../api/client.ts';
import { apiQuery, invalidate, queryClient } from '../../../api/query.ts';
import type { Campaign } from '../../../api/types.gen.ts';

/** A campaign with the `etag` of the response it came from. */
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

/** Someone else changed the campaign meanwhile; `theirs` is its current state. */
export class EditConflictError extends ApiError {
  readonly theirs: Known;

  constructor(theirs: Known) {
    super('PRECONDITION_FAILED', 'Someone else just changed this campaign. Review it and try again.');
    this.theirs = theirs;
  }
}

/** Saves a change, or throws `EditConflictError` if someone else changed the name, agent or status. Enrollments
 *  change the ETag all the time; those changes are not conflicts. */
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
