import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { ApiError, isApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { apiQuery, invalidate, queryClient } from '../../../api/query.ts';
import { deleteLater } from '../../../app/delayed-deletion.ts';
import { contactName } from '../../../lib/format.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { lastSearch } from '../../../lib/search-params.ts';
import { ConfirmDialog } from '../../../ui/confirm.tsx';
import { NameOrPhone, Phone } from '../../../ui/phone.tsx';
import { rich } from '../../../ui/rich.tsx';
import { toast } from '../../../ui/toast.tsx';
import { enrollmentsQuery } from './enrollments.tsx';
import {
  contactQuery,
  differences,
  editableOf,
  type FieldName,
  type Fields,
  type LoadedContact,
} from './fields.ts';
import { refetchContact } from './save.tsx';
import { useShownFields, Value } from './shown-fields.tsx';

interface ContactChanges {
  readonly before: Fields;
  readonly changed: readonly FieldName[];
}

/** Deletes a contact, unless the user undoes it. If someone else changed it meanwhile, shows the changes and asks again. */
const DeleteContact = ({
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
  const calls = useQuery(apiQuery('/calls', { query: { contact_id: id, limit: 1 } })).data?.pagination.total;
  const enrollments = useQuery(enrollmentsQuery(id)).data?.data;

  /** Gets the contact as it is now. Returns which fields someone else has changed since the user saw it. */
  const review = async (): Promise<ContactChanges | undefined> => {
    const before = editableOf(seen.current.data);
    seen.current = await refetchContact(id);
    const changed = differences(before, editableOf(seen.current.data));
    return changed.length > 0 ? { before, changed } : undefined;
  };
  const open = () => void navigate({ to: '/contacts/$id', params: { id } });
  /** A call changes the ETag, too, and must not prevent what the user has confirmed: only a change of the profile does. When the page is
   *  left, it is the one that the user has seen in the dialog. */
  const send = async (onGone: () => void, keepalive = true, isLast = false): Promise<boolean> => {
    const ifMatch = isLast ? null : seen.current.etag;
    try {
      await call('DELETE', '/contacts/{id}', { params: { id }, ifMatch, keepalive });
    } catch (error) {
      if (!isApiError(error, 'PRECONDITION_FAILED')) throw error;
      if (!(await review())) return send(onGone);
      onGone();
      const name = contactName(contact);
      const message = t("Someone else changed {name} in the meantime, so it wasn't deleted.", { name });
      toast.failed(new ApiError(error.code, message), { label: t('Open contact'), run: open });
      return false;
    }
    // Not removed: the user may be back on the page already, which must learn that the contact is gone.
    void queryClient.resetQueries({ queryKey: contactQuery(id).queryKey });
    void invalidate('/contacts', '/tags', '/figures', '/calls', '/campaigns').then(onGone);
    return true;
  };
  const remove = async (): Promise<void> => {
    const found = await review();
    if (found) {
      setChanges(found);
      throw new ApiError('PRECONDITION_FAILED', t('Nothing was deleted. Review the changes and try again.'));
    }
    isDeleted.current = true;
    const text = t('{name} deleted.', { name: contactName(contact) });
    deleteLater({ text, deletes: (record) => record.id === id, send, size: 0 });
    await navigate({ to: '/contacts', search: lastSearch('/contacts'), ignoreBlocker: true });
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={() => !isDeleted.current && onClose()}
      title={
        <span dir="auto" className="wrap-anywhere">
          {rich('Delete {name}?', { name: <NameOrPhone text={contactName(contact)} /> })}
        </span>
      }
      danger
      action={t('Delete contact')}
      consequences={[
        <span key="contact" className="wrap-anywhere">
          {rich(
            '{number} will be permanently deleted, along with the profile, tags, notes, CRM IDs and timeline.',
            { number: <Phone number={contact.phone_number} /> },
          )}
        </span>,
        enrollments === undefined
          ? t('Its campaign enrollments will be removed.')
          : enrollments.length === 0
            ? t("It isn't enrolled in any campaign.")
            : plural(
                enrollments.length,
                '# enrollment will be removed: {names}.',
                '# enrollments will be removed: {names}.',
                { names: enrollments.map((each) => each.campaign_name).join(', ') },
              ),
        calls === undefined
          ? t('Its calls and messages remain, without the name and number.')
          : calls === 0
            ? t('It has no calls or messages.')
            : plural(
                calls,
                '# call or message remains, without the name and number.',
                '# calls and messages remain, without the name and number.',
              ),
        t('You can undo it for ten seconds, while you stay on this page.'),
      ]}
      onConfirm={remove}
    >
      {changes && <ChangesSinceOpened {...changes} now={editableOf(seen.current.data)} />}
    </ConfirmDialog>
  );
};

const ChangesSinceOpened = ({ before, changed, now }: ContactChanges & { readonly now: Fields }) => {
  const { labelOf, textOf } = useShownFields();
  return (
    <div className="flex flex-col gap-3">
      <p className="font-medium">{t('Someone else changed this contact since you opened it.')}</p>
      {changed.map((name) => (
        <section key={name} aria-label={labelOf(name)}>
          <h3 className="mb-1 text-muted">{labelOf(name)}</h3>
          <div className="grid gap-2 sm:grid-cols-2">
            <Value title={t('When you opened it')} value={textOf(name, before[name])} />
            <Value title={t('Now')} value={textOf(name, now[name])} isOwn />
          </div>
        </section>
      ))}
    </div>
  );
};

export default DeleteContact;
