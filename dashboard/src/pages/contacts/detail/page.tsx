import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { isApiError } from '../../../api/api-error.ts';
import { useCommand } from '../../../app/commands.ts';
import { UnsavedGuard } from '../../../app/unsaved-guard.tsx';
import { contactName } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { Page } from '../../../ui/page.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { usePhoneConflict } from '../phone-conflicts.ts';
import { Calls } from './calls.tsx';
import { PhoneDialog } from './change-phone.tsx';
import { DeleteContact } from './delete.tsx';
import { CrmIds, Details } from './details.tsx';
import { useDirty } from './dirty-fields.ts';
import { Enroll } from './enroll.tsx';
import { Enrollments } from './enrollments.tsx';
import { contactQuery, type LoadedContact } from './fields.ts';
import { Profile } from './profile.tsx';
import { ResolveConflict } from './resolve-conflict.tsx';
import { useSave } from './save.tsx';
import type { ContactSearch } from './url-params.ts';

const route = getRouteApi('/app/contacts/$id');
const back = { to: '/contacts', label: 'Contacts' };

export const ContactPage = () => {
  const { id } = route.useParams();
  const contact = useQuery(contactQuery(id));
  if (contact.isError && (!contact.data || isApiError(contact.error, 'NOT_FOUND')))
    return (
      <Page title="Contact" back={back}>
        <div className="card">
          <ErrorState error={contact.error} onRetry={() => void contact.refetch()} />
        </div>
      </Page>
    );
  if (!contact.data) return <Loading />;
  return <Loaded key={id} known={contact.data} />;
};

const Loading = () => (
  <Page title="Contact" heading={<Skeleton className="h-8 w-56" />} back={back}>
    <div className="grid gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]" aria-busy>
      <Skeleton className="h-96 w-full rounded-xl" />
      <Skeleton className="h-64 w-full rounded-xl" />
    </div>
  </Page>
);

const Loaded = ({ known }: { readonly known: LoadedContact }) => {
  const { data: contact } = known;
  const { id } = contact;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const conflict = usePhoneConflict(id);
  const { save, dialog } = useSave(id);
  const dirty = useDirty();
  const show = (open: ContactSearch['open']) =>
    void navigate({ search: (now) => ({ ...now, open }), replace: !open, ignoreBlocker: !open });
  const close = () => show(undefined);
  useCommand('Change phone number', () => show('phone'));
  useCommand('Enroll in a campaign', () => show('enroll'));
  useCommand('Delete contact', () => show('delete'));
  return (
    <Page
      title={contactName(contact)}
      heading={
        <span dir="auto" className="wrap-anywhere">
          {contactName(contact)}
        </span>
      }
      description={
        contact.company && (
          <span dir="auto" className="wrap-anywhere">
            {contact.company}
          </span>
        )
      }
      back={back}
      actions={
        <Button onClick={() => show('delete')}>
          <Trash2 aria-hidden />
          Delete
        </Button>
      }
    >
      {conflict && <ResolveConflict key={contact.phone_number} conflict={conflict} save={save} />}
      <div className="grid gap-x-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="min-w-0">
          <Profile contact={contact} save={save} onDirty={dirty.mark} onPhone={() => show('phone')} />
          <Calls
            id={id}
            page={search.calls ?? 1}
            onPage={(next) =>
              void navigate({ search: (now) => ({ ...now, calls: next > 1 ? next : undefined }) })
            }
          />
        </div>
        <div className="min-w-0">
          <Enrollments id={id} onEnroll={() => show('enroll')} />
          <CrmIds ids={contact.crm_ids} />
          <Details contact={contact} />
        </div>
      </div>
      {search.open === 'phone' && <PhoneDialog phone={contact.phone_number} save={save} onClose={close} />}
      {search.open === 'enroll' && <Enroll id={id} onClose={close} />}
      {search.open === 'delete' && <DeleteContact known={known} onClose={close} />}
      {dialog}
      <UnsavedGuard when={dirty.isDirty} />
    </Page>
  );
};
