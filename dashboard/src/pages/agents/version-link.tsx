import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** A link to the instructions of a version. */
export const VersionLink = ({
  agent,
  label,
  isSamePage,
  children,
}: {
  readonly agent: string;
  readonly label: string;
  /** The link is on the agent's own page, so the other search parameters are preserved. */
  readonly isSamePage?: true;
  readonly children: ReactNode;
}) => (
  <Link
    to="/agents/$id"
    params={{ id: agent }}
    search={(now) => ({ ...(isSamePage && now), version: label })}
    resetScroll={false}
    title={`View ${label}`}
    className="relative z-10 rounded-md hover:underline"
  >
    {children}
  </Link>
);
