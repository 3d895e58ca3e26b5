import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { ApiError, isApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { invalidate, queryClient } from '../../../api/query.ts';
import { contactName, countText } from '../../../lib/format.ts';
import { lastSearch } from '../../../lib/search-params.ts';
import { ConfirmDialog } from '../../../ui/confirm.tsx';
import { toast } from '../../../ui/toast.tsx';
import { callsQuery } from './calls.tsx';
import { Value } from './edit-conflict.tsx';
import { enrollmentsQuery } from './enrollments.tsx';
import {
  contactQuery,
  differences,
  type FieldName,
  type Fields,
  fieldLabels,
  type LoadedContact,
} from './fields.ts';
import { refetchContact } from './save.tsx';

interface ContactChanges {
  readonly before: Fields;
  readonly changed: readonly FieldName[];
}

/** Deletes a contact. If someone else changed it meanwhile, shows the changes and asks again. */
export const DeleteContact = ({
  known,
  onClose,
}: {
  readonly known: LoadedContact;
  readonly onClose: () => void;
}) => {
  const { data: contact } = known;
  const { id } = contact;
  const navigate = useNavigate();
  const isDeleted = useRef(false);
  const seen = useRef(known);
  const [changes, setChanges] = useState<ContactChanges>();
  const calls = useQuery(callsQuery(id)).data?.pagination.total;
  const enrollments = useQuery(enrollmentsQuery(id)).data?.data;

  const remove = async (): Promise<void> => {
    try {
      await call('DELETE', '/contacts/{id}', { params: { id }, ifMatch: seen.current.etag });
    } catch (error) {
      if (!isApiError(error, 'PRECONDITION_FAILED')) throw error;
      const { data: before } = seen.current;
      seen.current = await refetchContact(id);
      const changed = differences(before, seen.current.data);
      if (changed.length === 0) return remove();
      setChanges({ before, changed });
      throw new ApiError('PRECONDITION_FAILED', 'Nothing was deleted. Review the changes and try again.');
    }
    isDeleted.current = true;
    toast.good(`${contactName(contact)} deleted.`);
    await navigate({ to: '/contacts', search: lastSearch('/contacts'), ignoreBlocker: true });
    queryClient.removeQueries({ queryKey: contactQuery(id).queryKey });
    void invalidate('/contacts', '/tags', '/figures', '/calls', '/campaigns');
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={() => !isDeleted.current && onClose()}
      title={
        <span dir="auto" className="wrap-anywhere">
          Delete {contactName(contact)}?
        </span>
      }
      danger
      action="Delete contact"
      consequences={[
        <span key="contact" className="wrap-anywhere">
          {contact.phone_number} will be permanently deleted, along with the profile, tags, notes and CRM IDs.
        </span>,
        enrollments === undefined
          ? 'Its campaign enrollments will be removed.'
          : enrollments.length === 0
            ? "It isn't enrolled in any campaign."
            : `${countText(enrollments.length, 'enrollment')} will be removed: ${enrollments.map((each) => each.campaign_name).join(', ')}.`,
        calls === undefined
          ? 'Its calls and messages are kept without the name and number.'
          : calls === 0
            ? 'It has no calls or messages.'
            : `${countText(calls, 'call or message', 'calls and messages')} ${calls === 1 ? 'is' : 'are'} kept without the name and number.`,
        "This can't be undone.",
      ]}
      onConfirm={remove}
    >
      {changes && <ChangesSinceOpened {...changes} now={seen.current.data} />}
    </ConfirmDialog>
  );
};

const ChangesSinceOpened = ({ before, changed, now }: ContactChanges & { readonly now: Fields }) => (
  <div className="flex flex-col gap-3">
    <p className="font-medium">Someone else changed this contact since you opened it.</p>
    {changed.map((name) => (
      <section key={name} aria-label={fieldLabels[name]}>
        <h3 className="mb-1 text-muted">{fieldLabels[name]}</h3>
        <div className="grid gap-2 sm:grid-cols-2">
          <Value title="When you opened it" value={before[name]} />
          <Value title="Now" value={now[name]} isOwn />
        </div>
      </section>
    ))}
  </div>
);
