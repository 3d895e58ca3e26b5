import { useQuery } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { apiQuery, invalidate } from '../../../api/query.ts';
import type { CreatedKey, Key, KeyDetails } from '../../../api/types.gen.ts';
import { useCreate } from '../../../app/commands.ts';
import { t } from '../../../lib/i18n.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm.tsx';
import { DocsLink } from '../../../ui/docs-link.tsx';
import { rich } from '../../../ui/rich.tsx';
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

const Scopes = ({ of: { scope, scopes } }: { readonly of: Key }) =>
  scope === 'custom' ? (
    <span className="flex flex-wrap gap-x-1.5 text-[0.8125rem]">
      {scopes.map((each) => (
        <code key={each}>{each}</code>
      ))}
    </span>
  ) : (
    <span className="whitespace-nowrap">{scopeLabels[scope]}</span>
  );

const Revoke = ({ of: { id, name, last_used_at } }: { readonly of: Key }) => {
  const [isConfirming, setConfirming] = useState(false);
  const revoke = async () => {
    await call('DELETE', '/keys/{id}', { params: { id } });
    toast.good(t('{name} revoked.', { name }));
    void invalidate('/keys');
  };
  return (
    <>
      <Button size="small" aria-label={t('Revoke {name}', { name })} onClick={() => setConfirming(true)}>
        {t('Revoke')}
      </Button>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={t('Revoke {name}?', { name })}
        danger
        action={t('Revoke key')}
        consequences={[
          t('Requests that use this key will be rejected immediately.'),
          last_used_at
            ? rich('It was last used {time}.', { time: <Time at={last_used_at} /> })
            : t('It has never been used.'),
          t("This can't be undone. Data written with it remains."),
        ]}
        onConfirm={revoke}
      />
    </>
  );
};

type Row = Key & { readonly details: KeyDetails | undefined };

const START = 'start';
const COMMAND_LINE = 'command line';

const creatorText = ({ created_by }: KeyDetails): string | undefined => {
  if (!created_by) return undefined;
  if (created_by.id === START) return t('at the first start');
  if (created_by.id === COMMAND_LINE) return t('from the command line');
  return t('by {name}', { name: created_by.name ?? t('a removed user') });
};

const Prefix = ({ of: { details } }: { readonly of: Row }) =>
  details?.prefix ? <code className="block text-[0.8125rem] text-muted">{details.prefix}…</code> : null;

const Created = ({ of: { created_at, details } }: { readonly of: Row }) => {
  const creator = details && creatorText(details);
  return (
    <div className="min-w-0">
      <Time at={created_at} />
      {creator && (
        <span dir="auto" className="block text-[0.8125rem] wrap-anywhere">
          {creator}
        </span>
      )}
    </div>
  );
};

const columns: readonly Column<Row>[] = [
  {
    id: 'name',
    header: t('Name'),
    phone: 'title',
    className: 'font-medium',
    cell: (key) => (
      <>
        <span dir="auto" className="wrap-anywhere">
          {key.name}
        </span>
        <Prefix of={key} />
      </>
    ),
  },
  { id: 'state', header: t('Status'), cell: (key) => <KeyStatus of={key} /> },
  {
    id: 'scope',
    header: t('Scope'),
    cell: (key) => <Scopes of={key} />,
  },
  {
    id: 'used',
    header: t('Last used'),
    className: 'whitespace-nowrap text-muted',
    cell: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} /> : t('Never')),
  },
  {
    id: 'expires',
    header: t('Expires'),
    hideBelow: 'medium',
    className: 'whitespace-nowrap text-muted',
    cell: ({ expires_at }) => (expires_at ? <Time at={expires_at} /> : t('Never')),
  },
  {
    id: 'rate',
    header: t('Rate limit'),
    phone: 'hidden',
    hideBelow: 'wide',
    className: 'whitespace-nowrap text-muted',
    cell: ({ rate_limit }) => rate_limit ?? t('None'),
  },
  {
    id: 'created',
    header: t('Created'),
    hideBelow: 'wide',
    className: 'text-muted',
    cell: (key) => <Created of={key} />,
  },
  {
    id: 'revoke',
    header: t('Actions'),
    align: 'end',
    phone: 'title',
    className: 'sm:py-1.5! max-sm:mt-1.5',
    cell: (key) => !key.revoked_at && <Revoke of={key} />,
  },
];

export const Keys = ({ isAdding, onAdd, onClose }: DialogState) => {
  const list = useQuery(apiQuery('/keys'));
  const details = useQuery(apiQuery('/keys/details'));
  const detailsOf = new Map((details.data?.data ?? []).map((each) => [each.id, each]));
  const rows = list.data?.data.map((key) => ({ ...key, details: detailsOf.get(key.id) }));
  const [created, setCreated] = useState<CreatedKey>();
  useCreate(t('Create API key'), onAdd);
  const createButton = (
    <Button variant="primary" onClick={onAdd}>
      <Plus aria-hidden />
      {t('Create API key')}
    </Button>
  );
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-xl text-sm text-muted">
          {t(
            'API keys let your programs use the API. Create one key per program, so you can revoke one without affecting the others.',
          )}{' '}
          <DocsLink to="keys" />
        </p>
        {createButton}
      </div>
      <DataTable
        label={t('API keys')}
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        error={list.error}
        onRetry={() => void list.refetch()}
        empty={
          <EmptyState icon={<KeyRound />} title={t('No API keys yet')} action={createButton}>
            {t('Create an API key for each program that uses the API.')}
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
