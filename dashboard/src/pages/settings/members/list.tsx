import { useQuery } from '@tanstack/react-query';
import { Ellipsis, Link2, UserPlus, UserRoundCog, Users, UserX } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { apiQuery, invalidate } from '../../../api/query.ts';
import type { User } from '../../../api/types.gen.ts';
import { useCreate } from '../../../app/commands.ts';
import { useCurrentUser } from '../../../app/current-user.ts';
import { t } from '../../../lib/i18n.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { toast } from '../../../ui/toast.tsx';
import type { DialogState } from '../keys/list.tsx';
import { ChangeRole, RemoveMember, roleLabels } from './change.tsx';
import { AddMember, type Invited, SignInLinkCreated } from './create.tsx';

interface PendingAction {
  readonly what: 'role' | 'remove';
  readonly user: User;
}

const columnsOf = (
  own: string,
  onAction: (pending: PendingAction) => void,
  onLink: (user: User) => void,
): readonly Column<User>[] => [
  {
    id: 'email',
    header: t('Email'),
    phone: 'title',
    className: 'font-medium max-sm:pr-12',
    cell: ({ id, email }) => (
      <span className="inline-flex flex-wrap items-center gap-2">
        <span className="wrap-anywhere">{email}</span>
        {id === own && <Badge>{t('You')}</Badge>}
      </span>
    ),
  },
  {
    id: 'role',
    header: t('Role'),
    cell: ({ role }) => <Badge tone={role === 'owner' ? 'good' : 'plain'}>{roleLabels[role]}</Badge>,
  },
  {
    id: 'added',
    header: t('Added'),
    className: 'whitespace-nowrap text-muted',
    cell: ({ created_at }) => <Time at={created_at} />,
  },
  {
    id: 'actions',
    header: t('Actions'),
    align: 'end',
    phone: 'title',
    className: 'sm:w-16 sm:py-1.5! max-sm:absolute max-sm:top-1.5 max-sm:right-1.5',
    cell: (user) => (
      <Menu
        trigger={
          <IconButton
            label={t('Actions for {email}', { email: user.email })}
            icon={<Ellipsis aria-hidden />}
          />
        }
        items={[
          { label: t('Create sign-in link'), icon: <Link2 aria-hidden />, onSelect: () => onLink(user) },
          {
            label: user.role === 'owner' ? t('Make a member') : t('Make an owner'),
            icon: <UserRoundCog aria-hidden />,
            onSelect: () => onAction({ what: 'role', user }),
          },
          null,
          {
            label: t('Remove'),
            icon: <UserX aria-hidden />,
            danger: true,
            onSelect: () => onAction({ what: 'remove', user }),
          },
        ]}
      />
    ),
  },
];

/** The users of the workspace. */
const Members = ({ isAdding, onAdd, onClose }: DialogState) => {
  const list = useQuery(apiQuery('/users'));
  const user = useCurrentUser();
  const [invited, setInvited] = useState<Invited>();
  const [pending, setPending] = useState<PendingAction>();
  useCreate(t('Add member'), onAdd);
  const makeLink = ({ id, email }: User) =>
    call('POST', '/users/{id}/link', { params: { id } }).then(
      ({ data }) => setInvited({ email, link: data, isNew: false }),
      (error: unknown) => {
        toast.failed(error);
        void invalidate('/users');
      },
    );
  const addButton = (
    <Button variant="primary" onClick={onAdd}>
      <UserPlus aria-hidden />
      {t('Add member')}
    </Button>
  );
  const isOwn = pending?.user.id === user.id;
  const close = () => setPending(undefined);
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-xl text-sm text-muted">
          {t(
            'Members work with contacts, agents, campaigns and channels. Owners also manage API keys, members, integrations and workspace settings.',
          )}
        </p>
        {addButton}
      </div>
      <DataTable
        label={t('Members')}
        columns={columnsOf(user.id, setPending, (user) => void makeLink(user))}
        rows={list.data?.data}
        rowId={({ id }) => id}
        error={list.error}
        onRetry={() => void list.refetch()}
        empty={<EmptyState icon={<Users />} title={t('No members yet')} action={addButton} />}
      />
      {isAdding && (
        <AddMember
          onClose={onClose}
          onAdded={(result) => {
            setInvited(result);
            onClose();
          }}
        />
      )}
      {invited && <SignInLinkCreated invited={invited} onClose={() => setInvited(undefined)} />}
      {pending?.what === 'role' && <ChangeRole user={pending.user} isOwn={isOwn} onClose={close} />}
      {pending?.what === 'remove' && <RemoveMember user={pending.user} isOwn={isOwn} onClose={close} />}
    </>
  );
};

export default Members;
