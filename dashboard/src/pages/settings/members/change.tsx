import { call } from '../../../api/client.ts';
import { invalidate, queryClient } from '../../../api/query.ts';
import type { User } from '../../../api/types.gen.ts';
import { currentUserQuery } from '../../../app/current-user.ts';
import { ConfirmDialog } from '../../../ui/confirm.tsx';
import { toast } from '../../../ui/toast.tsx';

export const roleLabels: Record<User['role'], string> = { owner: 'Owner', member: 'Member' };

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
    toast.good(`${email} is now ${next === 'owner' ? 'an owner' : 'a member'}.`);
    if (isOwn) await queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey });
    void invalidate('/users');
  };
  const them = isOwn ? 'You' : 'They';
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={next === 'owner' ? `Make ${email} an owner?` : `Make ${email} a member?`}
      danger={next === 'member'}
      action={next === 'owner' ? 'Make an owner' : 'Make a member'}
      consequences={
        next === 'owner'
          ? [
              'They can create and revoke API keys, add and remove members, and create integrations.',
              'They can remove the owner role from others, including you.',
            ]
          : [
              `${them} can no longer manage API keys, members, integrations and workspace settings.`,
              `${them} can still work with contacts, agents, campaigns and channels.`,
              ...(isOwn ? ['Only another owner can restore your role.'] : []),
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
    toast.good(`${email} removed.`);
    void invalidate('/users');
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={isOwn ? 'Remove yourself?' : `Remove ${email}?`}
      danger
      action="Remove member"
      consequences={[
        isOwn
          ? "You are signed out everywhere immediately and can't sign in again."
          : "They are signed out everywhere immediately and can't sign in again.",
        'Unused sign-in links stop working.',
        `Everything ${isOwn ? 'you' : 'they'} created is kept: contacts, agents, campaigns and API keys.`,
      ]}
      onConfirm={remove}
    />
  );
};
