import { labelOf, useDispositions } from '../calls/settings.ts';

/** The outcome of an enrollment: the label of a disposition, or else the dialer's own text. */
export const Outcome = ({ outcome }: { readonly outcome: string }) => (
  <bdi>{labelOf(useDispositions(), outcome) ?? outcome}</bdi>
);
