import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { UserRoundX } from 'lucide-react';
import { useState } from 'react';
import { errorMessage } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { apiQuery, invalidate } from '../../../api/query.ts';
import type { HeldIdentity } from '../../../api/types.gen.ts';
import { ContactPicker } from '../../../app/contact-picker.tsx';
import { useListKeys } from '../../../app/list-keys.ts';
import { EMPTY } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { pageQuery, toPageParam } from '../../../lib/search-params.ts';
import { callLabel } from '../../../records/calls/labels.ts';
import { IdentityValue, identityKinds } from '../../../records/contacts/identities.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Page } from '../../../ui/page.tsx';
import { PagedTable } from '../../../ui/paged-table.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import type { Column } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { toast } from '../../../ui/toast.tsx';

const route = getRouteApi('/app/contacts');
/** The last messages of so many people are read in one request. */
const SIZE = 20;
const LAST = 2;

const LastMessages = ({ id }: { readonly id: string }) => {
  const calls = useQuery(apiQuery('/calls', { query: { identity_id: id, limit: LAST } })).data?.data;
  if (calls?.length === 0) return EMPTY;
  return calls?.map((each) => (
    <div key={each.id}>
      <Link to="/calls" search={{ call: each.id }} className="rounded hover:underline">
        {callLabel(each)} · <Time at={each.started_at} />
      </Link>
    </div>
  ));
};

const Attach = ({ of, onClose }: { readonly of: HeldIdentity; readonly onClose: () => void }) => {
  const { kind, value } = of;
  const attach = useMutation({
    mutationFn: (id: string) =>
      call('POST', '/contacts/{id}/identities', { params: { id }, body: { kind, value } }),
    onSuccess: () => {
      void invalidate('/identities', '/contacts', '/calls');
      toast.good(t('Attached to the contact, with all calls and messages.'));
      onClose();
    },
  });
  return (
    <Dialog open onOpenChange={onClose} title={t('Attach to contact')} width="small">
      <div className="flex min-h-72 flex-col gap-4 text-sm">
        <p>
          {identityKinds[kind]} <IdentityValue of={of} />
        </p>
        <ContactPicker
          label={t('Contact')}
          placeholder={t('Search by name, phone or email')}
          onChoose={attach.mutate}
        />
        {attach.isError && <Notice tone="danger">{errorMessage(attach.error)}</Notice>}
      </div>
    </Dialog>
  );
};

const columnsOf = (onAttach: (identity: HeldIdentity) => void): readonly Column<HeldIdentity>[] => [
  {
    id: 'person',
    header: t('Person'),
    phone: 'title',
    cell: (identity) => (
      <>
        <div className="font-medium">
          <IdentityValue of={identity} />
        </div>
        <div className="text-[0.8125rem] text-muted">{identityKinds[identity.kind]}</div>
      </>
    ),
  },
  { id: 'calls', header: t('Last calls and messages'), cell: ({ id }) => <LastMessages id={id} /> },
  {
    id: 'since',
    header: t('Known since'),
    hideBelow: 'medium',
    className: 'text-muted whitespace-nowrap',
    cell: ({ valid_from }) => <Time at={valid_from} />,
  },
  {
    id: 'attach',
    header: t('Actions'),
    align: 'end',
    cell: (identity) => (
      <Button size="small" onClick={() => onAttach(identity)}>
        {t('Attach to contact…')}
      </Button>
    ),
  },
];

/** People who called or wrote without a number and have no contact. */
const PeoplePage = () => {
  const page = route.useSearch().page ?? 1;
  const navigate = route.useNavigate();
  const [open, setOpen] = useState<HeldIdentity>();
  const list = useQuery({
    ...apiQuery('/identities', { query: { contact: 'none', ...pageQuery(page, SIZE) } }),
    placeholderData: keepPreviousData,
  });
  useListKeys();
  return (
    <Page
      title={t('People without a contact')}
      back={{ to: '/contacts', label: t('Contacts'), search: {} }}
      description={t('They called or wrote without a phone number, such as with a WhatsApp user name.')}
    >
      <PagedTable
        label={t('People without a contact')}
        columns={columnsOf(setOpen)}
        list={list}
        icon={<UserRoundX />}
        page={page}
        pageSize={SIZE}
        onPage={(next) => void navigate({ search: (now) => ({ ...now, page: toPageParam(next) }) })}
        rowId={({ id }) => id}
        empty={
          <EmptyState icon={<UserRoundX />} title={t('Everyone has a contact')}>
            {t('People who write without a number appear here until you attach them to a contact.')}
          </EmptyState>
        }
      />
      {open && <Attach of={open} onClose={() => setOpen(undefined)} />}
    </Page>
  );
};

export default PeoplePage;
