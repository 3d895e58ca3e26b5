import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api/query.ts';
import type { BulkJob } from '../../api/types.gen.ts';

const LISTED = 20;

/** The recent jobs of the workspace, of all its users. */
export const useBulkJobs = (): readonly BulkJob[] | undefined =>
  useQuery(apiQuery('/bulk-jobs', { query: { limit: LISTED } })).data?.data;
