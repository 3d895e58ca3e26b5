import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api/query.ts';
import type { BulkJob } from '../../api/types.gen.ts';
import { isRunning } from './labels.ts';

const LISTED = 20;
const WHILE_RUNNING_MS = 500;

/** The recent jobs of the workspace, of all its users. Polled while one runs: its progress has no events. */
export const useBulkJobs = (): readonly BulkJob[] | undefined =>
  useQuery({
    ...apiQuery('/bulk-jobs', { query: { limit: LISTED } }),
    refetchInterval: ({ state }) => (state.data?.data.some(isRunning) ? WHILE_RUNNING_MS : false),
  }).data?.data;
