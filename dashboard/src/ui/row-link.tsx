import { Link, type LinkProps } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';
import { CellLink } from './cell-link.tsx';
import { rememberRow } from './last-row.ts';

const className =
  'rounded font-medium text-ink -outline-offset-2 after:absolute after:inset-0 hover:underline';

const own = {
  'data-row-link': true,
  className,
  onClickCapture: ({ currentTarget }: MouseEvent) => rememberRow(currentTarget.closest('tr')?.dataset.row),
};

/** The link of a table row: placed in the first cell, it makes the whole row clickable. */
export const RowLink = (
  props: { readonly children: ReactNode } & (
    | { readonly href: string }
    // Depends on the current location, such as to open a dialog.
    | (LinkProps & { readonly href?: never })
  ),
) => (props.href !== undefined ? <CellLink {...props} {...own} /> : <Link {...props} {...own} />);
