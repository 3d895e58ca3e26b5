import { apiQuery } from '../../../api/query.ts';

export const PROGRESS_DAYS = 30;

/** What happened in a campaign on each of the last days, and whether a dialer is at work. */
export const progressQuery = (id: string) =>
  apiQuery('/campaigns/{id}/progress', { params: { id }, query: { days: PROGRESS_DAYS } });
