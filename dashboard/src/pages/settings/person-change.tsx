import { call } from '../../api/client.ts';
import { queryClient, refresh } from '../../api/query.ts';
import type { User } from '../../api/types.gen.ts';
import { whoQuery } from '../../app/who.ts';
import { ConfirmDialog } from '../../ui/confirm.tsx';
import { toast } from '../../ui/toast.tsx';

export const roleNames: Record<User['role'], string> = { owner: 'Owner', member: 'Member' };

interface Props {
  readonly user: User;
  /** Whether it is who is signed in. */
  readonly isOwn: boolean;
  readonly onClose: () => void;
}

export const ChangeRole = ({ user: { id, email, role }, isOwn, onClose }: Props) => {
  const next = role === 'owner' ? 'member' : 'owner';
  const change = async () => {
    await call('PATCH', '/users/{id}', { params: { id }, body: { role: next } });
    toast.good(`${email} is ${next === 'owner' ? 'an owner' : 'a member'} now.`);
    if (isOwn) await queryClient.invalidateQueries({ queryKey: whoQuery.queryKey });
    void refresh('/users');
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
              'They can make and revoke keys, add and remove people, and make integrations.',
              'They can take the role of an owner from others, you among them.',
            ]
          : [
              `${them} can no longer look after keys, people, integrations and the workspace.`,
              `${them} still work with contacts, agents, campaigns and channels.`,
              ...(isOwn ? ['Only another owner can give the role back to you.'] : []),
            ]
      }
      onConfirm={change}
    />
  );
};

export const RemovePerson = ({ user: { id, email }, isOwn, onClose }: Props) => {
  const remove = async () => {
    await call('DELETE', '/users/{id}', { params: { id } });
    if (isOwn) return location.assign('/sign-in');
    toast.good(`${email} is removed.`);
    void refresh('/users');
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={isOwn ? 'Remove yourself?' : `Remove ${email}?`}
      danger
      action="Remove person"
      consequences={[
        isOwn
          ? 'You are signed out at once, everywhere, and cannot sign in any more.'
          : 'They are signed out at once, everywhere, and cannot sign in any more.',
        'A sign-in link that was not used yet does not work any more.',
        `What ${isOwn ? 'you' : 'they'} made stays: contacts, agents, campaigns, keys.`,
      ]}
      onConfirm={remove}
    />
  );
};
