import type { ReactNode } from 'react';
import { t } from '../../lib/i18n.ts';
import { stringifySearch } from '../../lib/search-params.ts';
import { CellLink } from '../../ui/cell-link.tsx';

/** A link to the page of a version. Without it, the children are shown as they are: a deleted agent has no pages. */
export const VersionLink = ({
  agent,
  label,
  at,
  isDeleted = false,
  children,
}: {
  readonly agent: string;
  /** Its label, or its id. */
  readonly label: string;
  /** A time at which it was live, such as the start of a call. The page then shows the deploy of that time. */
  readonly at?: string | undefined;
  /** The agent was deleted. */
  readonly isDeleted?: boolean | undefined;
  readonly children?: ReactNode;
}) =>
  isDeleted ? (
    (children ?? label)
  ) : (
    <CellLink
      href={`/agents/${agent}/versions/${encodeURIComponent(label)}${stringifySearch({ at })}`}
      title={t('View {label}', { label })}
      className="relative z-10 rounded-md hover:underline"
    >
      {children ?? (
        <span className="figure underline decoration-line underline-offset-4 hover:decoration-current">
          {label}
        </span>
      )}
    </CellLink>
  );
