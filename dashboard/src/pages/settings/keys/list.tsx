import { useQuery } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { apiQuery, invalidate } from '../../../api/query.ts';
import type { CreatedKey, Key } from '../../../api/types.gen.ts';
import { useCommand } from '../../../app/commands.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { type Column, DataTable } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { toast } from '../../../ui/toast.tsx';
import { CreateKey, KeyCreated } from './create.tsx';
import { keyStatus, scopeLabels } from './labels.ts';

export interface DialogState {
  readonly isAdding: boolean;
  readonly onAdd: () => void;
  readonly onClose: () => void;
}

const KeyStatus = ({ of }: { readonly of: Key }) => {
  const { label, tone } = keyStatus(of);
  return <Badge tone={tone}>{label}</Badge>;
};

const Revoke = ({ of: { id, name, last_used_at } }: { readonly of: Key }) => {
  const [isConfirming, setConfirming] = useState(false);
  const revoke = async () => {
    await call('DELETE', '/keys/{id}', { params: { id } });
    toast.good(`${name} revoked.`);
    void invalidate('/keys');
  };
  return (
    <>
      <Button size="small" aria-label={`Revoke ${name}`} onClick={() => setConfirming(true)}>
        Revoke
      </Button>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={`Revoke ${name}?`}
        danger
        action="Revoke key"
        consequences={[
          'Requests that use this key will be rejected immediately.',
          last_used_at ? (
            <>
              It was last used <Time at={last_used_at} />.
            </>
          ) : (
            'It has never been used.'
          ),
          "This can't be undone. Data written with it is kept.",
        ]}
        onConfirm={revoke}
      />
    </>
  );
};

const columns: readonly Column<Key>[] = [
  {
    id: 'name',
    header: 'Name',
    phone: 'title',
    className: 'font-medium',
    cell: ({ name }) => <span className="wrap-anywhere">{name}</span>,
  },
  { id: 'state', header: 'Status', cell: (key) => <KeyStatus of={key} /> },
  {
    id: 'scope',
    header: 'Scope',
    className: 'whitespace-nowrap',
    cell: ({ scope }) => scopeLabels[scope],
  },
  {
    id: 'used',
    header: 'Last used',
    className: 'whitespace-nowrap text-muted',
    cell: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} /> : 'Never'),
  },
  {
    id: 'expires',
    header: 'Expires',
    hideBelow: 'medium',
    className: 'whitespace-nowrap text-muted',
    cell: ({ expires_at }) => (expires_at ? <Time at={expires_at} /> : 'Never'),
  },
  {
    id: 'rate',
    header: 'Rate limit',
    phone: 'hidden',
    hideBelow: 'wide',
    className: 'whitespace-nowrap text-muted',
    cell: ({ rate_limit }) => rate_limit ?? 'None',
  },
  {
    id: 'created',
    header: 'Created',
    phone: 'hidden',
    hideBelow: 'wide',
    className: 'whitespace-nowrap text-muted',
    cell: ({ created_at }) => <Time at={created_at} />,
  },
  {
    id: 'revoke',
    header: 'Actions',
    align: 'end',
    phone: 'title',
    className: 'sm:py-1.5! max-sm:mt-1.5',
    cell: (key) => !key.revoked_at && <Revoke of={key} />,
  },
];

export const Keys = ({ isAdding, onAdd, onClose }: DialogState) => {
  const list = useQuery(apiQuery('/keys'));
  const [created, setCreated] = useState<CreatedKey>();
  useCommand('Create API key', onAdd);
  const createButton = (
    <Button variant="primary" onClick={onAdd}>
      <Plus aria-hidden />
      Create API key
    </Button>
  );
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-xl text-sm text-muted">
          API keys let your programs use the API. Create one key per program, so you can revoke one without
          affecting the others.
        </p>
        {createButton}
      </div>
      <DataTable
        label="API keys"
        columns={columns}
        rows={list.data?.data}
        rowId={({ id }) => id}
        error={list.error}
        onRetry={() => void list.refetch()}
        empty={
          <EmptyState icon={<KeyRound />} title="No API keys yet" action={createButton}>
            Create an API key for each program that uses the API.
          </EmptyState>
        }
      />
      {isAdding && (
        <CreateKey
          onClose={onClose}
          onCreated={(result) => {
            setCreated(result);
            onClose();
          }}
        />
      )}
      {created && <KeyCreated created={created} onClose={() => setCreated(undefined)} />}
    </>
  );
};
