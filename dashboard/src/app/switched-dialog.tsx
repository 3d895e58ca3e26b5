import { useMutation } from '@tanstack/react-query';
import { errorMessage } from '../api/api-error.ts';
import { t } from '../lib/i18n.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { switchBack, useCurrentUser } from './current-user.ts';

/** Shown over a page whose workspace was switched in another tab, so that nothing is written to the wrong one. */
const SwitchedDialog = () => {
  const { workspace } = useCurrentUser();
  const back = useMutation({ mutationFn: switchBack });
  return (
    <Dialog
      open
      onOpenChange={() => {}}
      preventDismiss
      width="small"
      title={t('You switched to another workspace')}
      description={t(
        'This page belongs to {workspace}. All tabs of a browser use the same workspace. Switch back to keep what you typed here.',
        { workspace: workspace.name },
      )}
      footer={
        <>
          <Button onClick={() => location.assign('/')}>{t('Open the other workspace')}</Button>
          <Button variant="primary" busy={back.isPending} onClick={() => back.mutate()}>
            {t('Switch back')}
          </Button>
        </>
      }
    >
      {back.isError && <Notice tone="danger">{errorMessage(back.error)}</Notice>}
    </Dialog>
  );
};

export default SwitchedDialog;
