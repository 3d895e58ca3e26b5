import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** Leads to the instructions of a version. */
export const VersionLink = ({
  agent,
  label,
  stays,
  children,
}: {
  readonly agent: string;
  readonly label: string;
  /** The page is the agent's already: what else its address holds is kept. */
  readonly stays?: true;
  readonly children: ReactNode;
}) => (
  <Link
    to="/agents/$id"
    params={{ id: agent }}
    search={(now) => ({ ...(stays && now), version: label })}
    resetScroll={false}
    title={`View ${label}`}
    className="relative z-10 rounded-md hover:underline"
  >
    {children}
  </Link>
);
