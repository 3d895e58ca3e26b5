import type { ReactNode } from 'react';

/** A name and a value in the details of a record. */
export const NamedValue = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="flex gap-4 py-2">
    <dt className="w-28 shrink-0 text-muted">{name}</dt>
    <dd className="min-w-0 flex-1 wrap-anywhere">{children}</dd>
  </div>
);
