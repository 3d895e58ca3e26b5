import { CloudOff, FileQuestionMark, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { errorMessage, fieldErrors, isApiError } from '../api/api-error.ts';
import { t } from '../lib/i18n.ts';
import { Button } from './button.tsx';
import { cx } from './cx.ts';

/** Replaces an empty list or missing record: explains what belongs here and what to do. */
export const EmptyState = ({
  icon,
  title,
  children,
  action,
}: {
  readonly icon?: ReactNode;
  readonly title: ReactNode;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}) => (
  <div className="flex flex-col items-center gap-1 px-6 py-14 text-center">
    {icon && (
      <div
        aria-hidden
        className="mb-3 grid size-12 place-items-center rounded-2xl bg-accent-soft text-accent-ink [&_svg]:size-6"
      >
        {icon}
      </div>
    )}
    <h2 className="font-semibold">{title}</h2>
    {children && <div className="max-w-md text-sm text-muted">{children}</div>}
    {action && <div className="mt-4 flex flex-wrap justify-center gap-2">{action}</div>}
  </div>
);

/** Shown for a page number beyond the last page. */
export const PageOutOfRange = ({
  icon,
  onFirst,
}: {
  readonly icon?: ReactNode;
  readonly onFirst: () => void;
}) => (
  <EmptyState
    icon={icon}
    title={t("This page doesn't exist")}
    action={<Button onClick={onFirst}>{t('Go to first page')}</Button>}
  />
);

/** Shown if loading failed, with an action to retry. */
export const ErrorState = ({
  error,
  onRetry,
}: {
  readonly error: unknown;
  readonly onRetry?: () => void;
}) => {
  const lost = isApiError(error, 'CONNECTION_LOST');
  // The id in the URL is malformed.
  const isNoId = isApiError(error, 'VALIDATION_ERROR') && 'id' in fieldErrors(error);
  if (isApiError(error, 'NOT_FOUND') || isNoId)
    return (
      <div role="alert">
        <EmptyState icon={<FileQuestionMark />} title={t('Not found')}>
          {!isNoId && error.message} {t('It may have been deleted, or the link is wrong.')}
        </EmptyState>
      </div>
    );
  return (
    <div role="alert" className="flex flex-col items-center gap-1 px-6 py-14 text-center">
      <div
        aria-hidden
        className="mb-3 grid size-12 place-items-center rounded-2xl bg-danger-soft text-danger-ink [&_svg]:size-6"
      >
        {lost ? <CloudOff /> : <TriangleAlert />}
      </div>
      <h2 className="font-semibold">{lost ? t('No connection') : t("Couldn't load this")}</h2>
      <p className="max-w-md text-sm text-muted">{errorMessage(error)}</p>
      {isApiError(error) && error.requestId && (
        <p className="mt-1 text-xs text-muted">
          {t('Request ID')} <code className="font-mono">{error.requestId}</code>
        </p>
      )}
      {onRetry && (
        <Button className="mt-4" onClick={onRetry}>
          {t('Try again')}
        </Button>
      )}
    </div>
  );
};

/** A placeholder while loading; its class sets the size. */
export const Skeleton = ({ className }: { readonly className?: string }) => (
  <div aria-hidden className={cx('animate-pulse rounded-md bg-line/70', className ?? 'h-4 w-full')} />
);
