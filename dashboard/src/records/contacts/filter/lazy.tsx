import { type ComponentProps, lazy, Suspense } from 'react';
import { loadChunk } from '../../../api/load-chunk.ts';
import { Skeleton } from '../../../ui/states.tsx';

/* What shows and edits filters is loaded when it is needed: most pages are opened without a filter. */

const Sentence = lazy(() => loadChunk(() => import('./sentence-text.tsx')));
const Builder = lazy(() => loadChunk(() => import('./builder.tsx')));

/** A filter in words. */
export const FilterSentence = (props: ComponentProps<typeof Sentence>) => (
  <Suspense fallback={<Skeleton className="h-4 w-56" />}>
    <Sentence {...props} />
  </Suspense>
);

/** Edits a filter. */
export const FilterBuilder = (props: ComponentProps<typeof Builder>) => (
  <Suspense fallback={<Skeleton className="h-24 w-full" />}>
    <Builder {...props} />
  </Suspense>
);
