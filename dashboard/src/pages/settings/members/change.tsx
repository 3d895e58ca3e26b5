import { call } from '../../../api/client.ts';
import { invalidate, queryClient } from '../../../api/query.ts';
import type { User } from '../../../api/types.gen.ts';
import { currentUserQuery } from '../../../app/current-user.ts';
import { t } from '../../../lib/i18n.ts';
import { ConfirmDialog } from '../../../ui/confirm.tsx';
import { toast } from '../../../ui/toast.tsx';

export const roleLabels: Record<User['role'], string> = { owner: t('Owner'), member: t('Member') };

interface Props {
  readonly user: User;
  /** Whether the user is the signed-in user. */
  readonly isOwn: boolean;
  readonly onClose: () => void;
}

export const ChangeRole = ({ user: { id, email, role }, isOwn, onClose }: Props) => {
  const next = role === 'owner' ? 'member' : 'owner';
  const change = async () => {
    await call('PATCH', '/users/{id}', { params: { id }, body: { role: next } });
    toast.good(
      next === 'owner' ? t('{email} is now an owner.', { email }) : t('{email} is now a member.', { email }),
    );
    if (isOwn) await queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey });
    void invalidate('/users');
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={
        next === 'owner' ? t('Make {email} an owner?', { email }) : t('Make {email} a member?', { email })
      }
      danger={next === 'member'}
      action={next === 'owner' ? t('Make an owner') : t('Make a member')}
      consequences={
        next === 'owner'
          ? [
              t('They can create and revoke API keys, add and remove members, and create integrations.'),
              t('They can remove the owner role from others, including you.'),
            ]
          : [
              isOwn
                ? t('You can no longer manage API keys, members, integrations and workspace settings.')
                : t('They can no longer manage API keys, members, integrations and workspace settings.'),
              isOwn
                ? t('You can still work with contacts, agents, campaigns and channels.')
                : t('They can still work with contacts, agents, campaigns and channels.'),
              ...(isOwn ? [t('Only another owner can restore your role.')] : []),
            ]
      }
      onConfirm={change}
    />
  );
};

export const RemoveMember = ({ user: { id, email }, isOwn, onClose }: Props) => {
  const remove = async () => {
    await call('DELETE', '/users/{id}', { params: { id } });
    if (isOwn) return location.assign('/sign-in');
    toast.good(t('{email} removed.', { email }));
    void invalidate('/users');
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={isOwn ? t('Remove yourself?') : t('Remove {email}?', { email })}
      danger
      action={t('Remove member')}
      consequences={[
        isOwn
          ? t("You are signed out everywhere immediately and can't sign in again.")
          : t("They are signed out everywhere immediately and can't sign in again."),
        t('Unused sign-in links stop working.'),
        isOwn
          ? t('Everything you created remains: contacts, agents, campaigns and API keys.')
          : t('Everything they created remains: contacts, agents, campaigns and API keys.'),
      ]}
      onConfirm={remove}
    />
  );
};
