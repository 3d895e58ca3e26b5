import { useBlocker } from '@tanstack/react-router';
import { t } from '../lib/i18n.ts';
import { ConfirmDialog } from '../ui/confirm.tsx';

/** Asks for confirmation before unsaved changes are lost by following a link, going back or closing the tab.
 *  Changes of search parameters on the same page are allowed. */
export const UnsavedGuard = ({
  when,
  title = t('Leave without saving?'),
  message = t("Your changes haven't been saved and will be lost."),
}: {
  readonly when: boolean;
  readonly title?: string;
  readonly message?: string;
}) => {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => when && current.pathname !== next.pathname,
    enableBeforeUnload: () => when,
    disabled: !when,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      open={blocker.status === 'blocked'}
      onOpenChange={(open) => !open && blocker.reset?.()}
      title={title}
      action={t('Leave')}
      danger
      onConfirm={() => blocker.proceed?.()}
    >
      <p>{message}</p>
    </ConfirmDialog>
  );
};
