import type { ReactNode } from 'react';

export interface PopoverProps {
  /** The accessible name of the panel. */
  readonly label: string;
  readonly trigger: ReactNode;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly children: ReactNode;
  readonly align?: 'start' | 'end';
}
