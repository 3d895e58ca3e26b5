import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

export interface Tab<T extends string> {
  readonly value: T;
  readonly label: ReactNode;
  readonly content: ReactNode;
}

/** Store the selected tab in the URL, so that it can be shared and survives a reload. */
export const Tabs = <T extends string>({
  label,
  tabs,
  value,
  onChange,
}: {
  readonly label: string;
  readonly tabs: readonly Tab<T>[];
  readonly value: T;
  readonly onChange: (value: T) => void;
}) => (
  <Radix.Root value={value} onValueChange={(next) => onChange(next as T)}>
    <div className="mb-5 border-b border-line">
      <Radix.List aria-label={label} className="-mb-px flex gap-1 overflow-x-auto overflow-y-hidden">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className="shrink-0 border-b-2 border-transparent px-3 py-2 text-sm font-medium text-muted -outline-offset-2 hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink"
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
    </div>
    {tabs.map((tab) => (
      <Radix.Content key={tab.value} value={tab.value} className="rounded-lg outline-offset-4">
        {tab.content}
      </Radix.Content>
    ))}
  </Radix.Root>
);
