import { useQuery } from '@tanstack/react-query';
import { Ellipsis, Plus } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { apiQuery, invalidate } from '../../../api/query.ts';
import type { Identity } from '../../../api/types.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { IdentityValue, identityKinds } from '../../../records/contacts/identities.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { Section } from '../../../ui/page.tsx';
import { rich } from '../../../ui/rich.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { toast } from '../../../ui/toast.tsx';

const makePrimary = async (id: string, identity_id: string): Promise<void> => {
  try {
    await call('PATCH', '/contacts/{id}/identities/{identity_id}', {
      params: { id, identity_id },
      body: { is_primary: true },
    });
    toast.good(t('Primary number changed.'));
    await invalidate('/contacts');
  } catch (error) {
    toast.failed(error);
  }
};

const remove = async (id: string, identity_id: string): Promise<void> => {
  await call('DELETE', '/contacts/{id}/identities/{identity_id}', { params: { id, identity_id } });
  await invalidate('/contacts');
};

const Entry = ({ id, of }: { readonly id: string; readonly of: Identity }) => {
  const [isRemoving, setRemoving] = useState(false);
  const isFormer = of.valid_until !== null;
  const makeItPrimary = { label: t('Make primary'), onSelect: () => void makePrimary(id, of.id) };
  return (
    <li className="flex items-start gap-2 py-2 text-sm">
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2">
          <IdentityValue of={of} />
          {of.is_primary && <Badge tone="good">{t('Primary')}</Badge>}
        </div>
        <div className="text-[0.8125rem] text-muted">
          {identityKinds[of.kind]} ·{' '}
          {of.valid_until
            ? rich('until {time}', { time: <Time at={of.valid_until} /> })
            : rich('since {time}', { time: <Time at={of.valid_from} /> })}
          {of.verified_by && ` · ${t('verified by {method}', { method: of.verified_by })}`}
        </div>
      </div>
      {!of.is_primary && (
        <Menu
          trigger={
            <IconButton
              size="small"
              label={t('Actions for {name}', { name: of.value })}
              icon={<Ellipsis aria-hidden />}
            />
          }
          items={[
            ...(of.kind === 'phone' && !isFormer ? [makeItPrimary] : []),
            { label: t('Remove'), danger: true, onSelect: () => setRemoving(true) },
          ]}
        />
      )}
      <ConfirmDialog
        open={isRemoving}
        onOpenChange={setRemoving}
        danger
        title={t('Remove {name}?', { name: of.value })}
        action={t('Remove')}
        consequences={[
          isFormer
            ? t('It is no longer listed here. The timeline keeps it.')
            : t('New calls and messages from it no longer belong to this contact. Earlier ones stay.'),
        ]}
        onConfirm={() => remove(id, of.id)}
      />
    </li>
  );
};

/** Numbers and other identities of a contact. Former ones are folded away. */
const Identities = ({ id, onAdd }: { readonly id: string; readonly onAdd: () => void }) => {
  const list = useQuery(apiQuery('/contacts/{id}/identities', { params: { id } }));
  const of = (isFormer: boolean) =>
    list.data?.data.filter(({ valid_until }) => (valid_until !== null) === isFormer) ?? [];
  const entriesOf = (some: readonly Identity[]) => (
    <ul className="divide-y divide-line">
      {some.map((each) => (
        <Entry key={each.id} id={id} of={each} />
      ))}
    </ul>
  );
  const former = of(true);
  return (
    <Section
      title={t('Identities')}
      actions={
        <Button size="small" onClick={onAdd}>
          <Plus aria-hidden />
          {t('Add')}
        </Button>
      }
    >
      {list.isError && !list.data ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : list.data ? (
        entriesOf(of(false))
      ) : (
        <Skeleton className="h-10 w-full" />
      )}
      {former.length > 0 && (
        <details className="mt-2 text-sm">
          <summary className="cursor-pointer rounded text-muted">
            {t('Former ones ({count})', { count: former.length })}
          </summary>
          {entriesOf(former)}
        </details>
      )}
    </Section>
  );
};

export default Identities;
