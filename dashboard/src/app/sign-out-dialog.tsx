import { t } from '../lib/i18n.ts';
import { ConfirmDialog } from '../ui/confirm.tsx';
import { signOut } from './current-user.ts';

/** Asks before texts that the browser keeps are removed. */
const SignOutDialog = ({ onClose }: { readonly onClose: () => void }) => (
  <ConfirmDialog
    open
    onOpenChange={(open) => !open && onClose()}
    title={t('Sign out?')}
    action={t('Sign out')}
    danger
    consequences={[t("Instructions that you haven't saved are removed from this browser.")]}
    onConfirm={signOut}
  />
);

export default SignOutDialog;
