import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Merge, Trash2 } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { errorDetail, isApiError } from '../../../api/api-error.ts';
import { loadChunk } from '../../../api/load-chunk.ts';
import { apiQuery, usePrefetch } from '../../../api/query.ts';
import { useCommand } from '../../../app/commands.ts';
import { RecordNeighbors } from '../../../app/neighbors.tsx';
import { UnsavedGuard } from '../../../app/unsaved-guard.tsx';
import { contactName } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { callSettingsQuery } from '../../../records/calls/settings.ts';
import { fieldsQuery } from '../../../records/fields/query.ts';
import { MergeContacts } from '../../../records/merges/lazy.tsx';
import { Button } from '../../../ui/button.tsx';
import { Page } from '../../../ui/page.tsx';
import { NameOrPhone } from '../../../ui/phone.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { activityQuery } from '../activity.tsx';
import { conflictCountQuery, usePhoneConflict } from '../phone-conflicts.ts';
import { CustomFields } from './custom-fields.tsx';
import { CrmIds, Details } from './details.tsx';
import { useDirty } from './dirty-fields.ts';
import { Enrollments, enrollmentsQuery } from './enrollments.tsx';
import { contactQuery, type LoadedContact } from './fields.ts';
import { AddIdentity, DeleteContact, Enroll, PhoneDialog } from './lazy-dialogs.tsx';
import { Profile } from './profile.tsx';
import { useSave } from './save.tsx';
import { Timeline, useTimeline } from './timeline.tsx';
import { type ContactSearch, kindsIn } from './url-params.ts';

/** Only legacy contacts have a conflict. */
const ResolveConflict = lazy(() => loadChunk(() => import('./resolve-conflict.tsx')));

const loadParts = () => loadChunk(() => import('./parts.ts'));
const Identities = lazy(async () => ({ default: (await loadParts()).Identities }));
const MergedContacts = lazy(async () => ({ default: (await loadParts()).MergedContacts }));
const MergedContactPage = lazy(async () => ({
  default: (await loadChunk(() => import('./merged.tsx'))).MergedContactPage,
}));

const route = getRouteApi('/app/contacts/$id');
const back = { to: '/contacts', label: t('Contacts') };

export const ContactPage = () => {
  const { id } = route.useParams();
  const contact = useQuery(contactQuery(id));
  useTimeline(id, kindsIn(route.useSearch().show));
  usePrefetch(
    enrollmentsQuery(id),
    apiQuery('/contacts/{id}/identities', { params: { id } }),
    apiQuery('/merges', { query: { contact_id: id, limit: 20 } }),
    activityQuery([id]),
    conflictCountQuery,
    fieldsQuery,
    callSettingsQuery,
    apiQuery('/settings'),
  );
  const into = errorDetail(contact.error, 'merged_into');
  if (into !== undefined)
    return (
      <Suspense fallback={<Loading />}>
        <MergedContactPage into={into} />
      </Suspense>
    );
  if (contact.isError && (!contact.data || isApiError(contact.error, 'NOT_FOUND')))
    return (
      <Page title={t('Contact')} back={back}>
        <div className="card">
          <ErrorState error={contact.error} onRetry={() => void contact.refetch()} />
        </div>
      </Page>
    );
  if (!contact.data) return <Loading />;
  return <Loaded key={id} known={contact.data} />;
};

const Loading = () => (
  <Page title={t('Contact')} heading={<Skeleton className="h-8 w-56" />} back={back}>
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
  const show = (open: ContactSearch['open'], other?: string) =>
    void navigate({
      search: (now) => ({ ...now, open, with: other }),
      replace: !open || other !== undefined,
      ignoreBlocker: !open,
    });
  const close = () => show(undefined);
  useCommand(t('Change phone number'), () => show('phone'));
  useCommand(t('Enroll in a campaign'), () => show('enroll'));
  useCommand(t('Add identity'), () => show('identity'));
  useCommand(t('Merge with…'), () => show('merge'));
  useCommand(t('Delete contact'), () => show('delete'));
  return (
    <Page
      title={contactName(contact)}
      heading={
        <span dir="auto" className="wrap-anywhere">
          <NameOrPhone text={contactName(contact)} />
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
        <>
          <RecordNeighbors list="/contacts" id={id} />
          <Button onClick={() => show('merge')}>
            <Merge aria-hidden />
            {t('Merge with…')}
          </Button>
          <Button onClick={() => show('delete')}>
            <Trash2 aria-hidden />
            {t('Delete')}
          </Button>
        </>
      }
    >
      {conflict && (
        <Suspense fallback={<Skeleton className="mb-5 h-64 rounded-xl" />}>
          <ResolveConflict key={contact.phone_number} conflict={conflict} save={save} />
        </Suspense>
      )}
      <div className="grid gap-x-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="min-w-0">
          <Profile contact={contact} save={save} onDirty={dirty.mark} onPhone={() => show('phone')} />
          <CustomFields contact={contact} save={save} onDirty={dirty.mark} />
          <Timeline
            id={id}
            kinds={kindsIn(search.show)}
            onKinds={(kinds) =>
              void navigate({
                search: (now) => ({ ...now, show: kinds.join() || undefined }),
                replace: true,
                resetScroll: false,
                ignoreBlocker: true,
              })
            }
          />
        </div>
        <div className="min-w-0">
          <Suspense fallback={<Skeleton className="mb-5 h-28 rounded-xl" />}>
            <Identities id={id} onAdd={() => show('identity')} />
            <MergedContacts id={id} />
          </Suspense>
          <Enrollments id={id} onEnroll={() => show('enroll')} />
          <CrmIds ids={contact.crm_ids} />
          <Details contact={contact} />
        </div>
      </div>
      {search.open === 'phone' && <PhoneDialog phone={contact.phone_number} save={save} onClose={close} />}
      {search.open === 'identity' && (
        <AddIdentity id={id} onMerge={(holder) => show('merge', holder)} onClose={close} />
      )}
      {search.open === 'merge' && (
        <MergeContacts
          ids={search.with ? [id, search.with] : [id]}
          onClose={close}
          onMerged={({ survivor_id }) =>
            void navigate({
              to: '/contacts/$id',
              params: { id: survivor_id },
              search: {},
              replace: true,
              ignoreBlocker: true,
            })
          }
        />
      )}
      {search.open === 'enroll' && <Enroll id={id} onClose={close} />}
      {search.open === 'delete' && <DeleteContact known={known} onClose={close} />}
      {dialog}
      <UnsavedGuard when={dirty.isDirty} />
    </Page>
  );
};
