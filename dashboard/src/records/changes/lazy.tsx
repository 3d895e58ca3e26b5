import { lazy } from 'react';
import { loadChunk } from '../../api/load-chunk.ts';

/** No page needs it to be shown. */
export const ChangedFields = lazy(() => loadChunk(() => import('./changed-fields.tsx')));
