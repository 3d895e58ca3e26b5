import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** The link of a table row: placed in the first cell, it makes the whole row clickable. */
export const RowLink = ({ children, ...link }: LinkProps & { readonly children: ReactNode }) => (
  <Link
    {...link}
    data-row-link
    className="rounded font-medium text-ink -outline-offset-2 after:absolute after:inset-0 hover:underline"
  >
    {children}
  </Link>
);
