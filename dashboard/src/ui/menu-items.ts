import type { ReactNode } from 'react';

export interface MenuItem {
  readonly label: ReactNode;
  readonly icon?: ReactNode;
  readonly onSelect: () => void;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  /** Shows a check mark. */
  readonly chosen?: boolean;
}

export interface MenuProps {
  readonly trigger: ReactNode;
  /** A `null` item is a separator. */
  readonly items: readonly (MenuItem | null)[];
  readonly header?: ReactNode;
  readonly align?: 'start' | 'end';
  /** Called when the menu closes. Prevent the default if the focus must not return to the trigger. */
  readonly onCloseAutoFocus?: (event: Event) => void;
}
