import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '../lib/i18n.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, type DialogProps } from '../ui/dialog.tsx';
import { ErrorState, Skeleton } from '../ui/states.tsx';

/** A dialog that shows a record once it is loaded. */
export const RecordDialog = <Answer,>({
  query,
  actions,
  onClose,
  children,
  ...dialog
}: Omit<DialogProps, 'open' | 'onOpenChange' | 'footer' | 'children'> & {
  readonly query: UseQueryResult<Answer>;
  /** Buttons before Done. */
  readonly actions?: ReactNode;
  readonly onClose: () => void;
  readonly children: (answer: Answer) => ReactNode;
}) => (
  <Dialog
    open
    {...dialog}
    onOpenChange={onClose}
    footer={
      <>
        {actions}
        <Button variant="primary" onClick={onClose}>
          {t('Done')}
        </Button>
      </>
    }
  >
    {query.isError ? (
      <ErrorState error={query.error} onRetry={() => void query.refetch()} />
    ) : query.data ? (
      children(query.data)
    ) : (
      <Skeleton className="h-72 w-full" />
    )}
  </Dialog>
);
