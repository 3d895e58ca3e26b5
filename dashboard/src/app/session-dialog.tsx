import { Dialog } from 'radix-ui';
import { queryClient } from '../api/query.ts';
import { session } from '../api/session.ts';
import { t } from '../lib/i18n.ts';
import { DialogContent } from '../ui/dialog-content.tsx';
import { Overlay } from '../ui/overlay.tsx';
import { useCurrentUser } from './current-user.ts';
import { SignInForm } from './sign-in-form.tsx';

/** Signs the user in again over the current page when the session has ended, so that no input is lost. */
const SessionDialog = () => {
  const user = useCurrentUser();
  const resume = ({ id }: { readonly id: string }) => {
    if (id !== user.id) return location.reload();
    session.markStarted();
    void queryClient.invalidateQueries();
  };
  return (
    <Dialog.Root open>
      <Dialog.Portal>
        <Overlay className="z-80 bg-canvas/95" />
        <DialogContent
          className="card fixed top-[max(1rem,14vh)] left-1/2 z-80 w-[calc(100%-2rem)] max-w-sm -translate-x-1/2 p-6 shadow-float"
          onEscapeKeyDown={(event) => event.preventDefault()}
          onInteractOutside={(event) => event.preventDefault()}
        >
          <Dialog.Title className="text-lg font-semibold">{t('Your session has ended')}</Dialog.Title>
          <Dialog.Description className="mt-1 mb-4 text-sm text-muted">
            {t('Sign in again to continue where you left off. Your changes are still there.')}
          </Dialog.Description>
          <SignInForm email={user.email} workspace={user.workspace.name} onSignedIn={resume} />
        </DialogContent>
      </Dialog.Portal>
    </Dialog.Root>
  );
};

export default SessionDialog;
