import type { ReactNode } from 'react';

export const DescriptionList = ({ items }: { readonly items: readonly (readonly [string, ReactNode])[] }) => (
  <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-3">
    {items.map(([name, value]) => (
      <div key={name} className="min-w-0">
        <dt className="text-[0.8125rem] text-muted">{name}</dt>
        <dd className="wrap-anywhere">{value}</dd>
      </div>
    ))}
  </dl>
);
