import { Link, useRouter } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import type { RawSearch } from '../lib/search-params.ts';
import { isBefore, lastSearch } from '../lib/search-params.ts';
import { opensHere } from './cell-link.tsx';
import { cx } from './cx.ts';

/** Sets the title of the browser tab. */
export const useTitle = (title: string): void => {
  useEffect(() => {
    document.title = `${title} · Roster`;
  }, [title]);
};

const widths = {
  narrow: 'max-w-3xl',
  normal: 'max-w-6xl min-[112rem]:max-w-[88rem]',
  wide: 'max-w-[110rem]',
} as const;

/** The layout of a page: title, description, actions and content. */
export const Page = ({
  title,
  heading,
  description,
  actions,
  back,
  width = 'normal',
  children,
}: {
  readonly title: string;
  /** Replaces the visible title if it is more than text. */
  readonly heading?: ReactNode;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  /** The list of this record. The link restores its last filters and page. */
  readonly back?: { readonly to: string; readonly label: string; readonly search?: RawSearch };
  readonly width?: keyof typeof widths;
  readonly children: ReactNode;
}) => {
  useTitle(title);
  const { history } = useRouter();
  return (
    <div className={cx('mx-auto w-full px-4 pt-5 pb-16 sm:px-8 sm:pt-8', widths[width])}>
      {back && (
        <Link
          to={back.to}
          search={back.search ?? lastSearch(back.to)}
          onClick={(event) => {
            // The list is then as it was left.
            if (!opensHere(event) || !isBefore(back.to)) return;
            event.preventDefault();
            history.back();
          }}
          className="-mt-1 mb-1 inline-flex items-center gap-1 rounded py-1 text-sm text-muted hover:text-ink hover:underline"
        >
          <ChevronLeft className="size-4" aria-hidden />
          {back.label}
        </Link>
      )}
      <PageHeader title={heading ?? title} description={description} actions={actions} />
      {children}
    </div>
  );
};

export const PageHeader = ({
  title,
  description,
  actions,
}: {
  readonly title: ReactNode;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
}) => (
  <header className="mb-5 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
    <div className="min-w-0 grow">
      <h1 className="text-2xl/8 font-semibold tracking-tight text-balance">{title}</h1>
      {description && <div className="mt-0.5 text-sm text-muted">{description}</div>}
    </div>
    {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
  </header>
);

/** A section of a page with a heading. */
export const Section = ({
  title,
  description,
  actions,
  className,
  children,
}: {
  readonly title: ReactNode;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
}) => (
  <section className={cx('card mb-5 p-4 sm:p-5', className)}>
    <div className="mb-4 flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <div className="min-w-0">
        <h2 className="font-semibold">{title}</h2>
        {description && <p className="text-sm text-muted">{description}</p>}
      </div>
      {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
    </div>
    {children}
  </section>
);
