import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { cx } from './cx.ts';

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
  keepsContent,
  isInCard = false,
}: {
  readonly label: string;
  readonly tabs: readonly Tab<T>[];
  readonly value: T;
  readonly onChange: (value: T) => void;
  /** The content of the other tabs stays mounted, so that it keeps its state. */
  readonly keepsContent?: true;
  /** Without space around the list. */
  readonly isInCard?: boolean;
}) => (
  <Radix.Root value={value} onValueChange={(next) => onChange(next as T)}>
    <div className={cx('border-b border-line', isInCard ? 'bg-sunken px-1' : 'mb-5')}>
      <Radix.List aria-label={label} className="tab-strip -mb-px flex gap-1">
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
      <Radix.Content
        key={tab.value}
        value={tab.value}
        forceMount={keepsContent}
        // A control in it has the focus first.
        tabIndex={keepsContent ? -1 : 0}
        className="rounded-lg outline-offset-4 data-[state=inactive]:hidden"
      >
        {tab.content}
      </Radix.Content>
    ))}
  </Radix.Root>
);
