import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { NamedValue } from '../../../app/named-value.tsx';
import { Neighbors, useNeighbors } from '../../../app/neighbors.tsx';
import type { OpenList } from '../../../app/open-lists.ts';
import { RecordDialog } from '../../../app/record-dialog.tsx';
import { browserTimeZone, useTimeZone } from '../../../app/time-zone.ts';
import { contactName } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { profileLabels } from '../../../records/contacts/labels.ts';
import { useFields } from '../../../records/fields/query.ts';
import { fieldText } from '../../../records/fields/values.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy.tsx';
import { NameOrPhone, PhoneLink } from '../../../ui/phone.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import { contactQuery, type LoadedContact } from '../detail/fields.ts';
import { useTimeline } from '../detail/timeline.tsx';
import { TimelineEntryItem } from '../detail/timeline-entry.tsx';

const MAX_ENTRIES = 8;

/** What is known of the contact. Fields without a value are left out. */
const Facts = ({ contact }: { readonly contact: LoadedContact['data'] }) => {
  const zone = useTimeZone() ?? browserTimeZone();
  const fields = useFields() ?? [];
  const texts = [
    ...(['email', 'notes'] as const).map((name) => [profileLabels[name], contact[name]] as const),
    ...fields.map(({ key, label, type }) => [label, fieldText(type, contact.fields?.[key], zone)] as const),
  ];
  return (
    <dl className="divide-y divide-line border-b border-line text-sm">
      <NamedValue name={t('Phone number')}>
        <span className="-my-1.5 flex items-center gap-1">
          <PhoneLink number={contact.phone_number} />
          <CopyButton text={contact.phone_number} label={t('Copy phone number')} size="small" />
        </span>
      </NamedValue>
      {contact.tags.length > 0 && (
        <NamedValue name={t('Tags')}>
          <span className="flex flex-wrap gap-1">
            {contact.tags.map((tag) => (
              <Badge key={tag}>{tag}</Badge>
            ))}
          </span>
        </NamedValue>
      )}
      {texts.map(
        ([name, text]) =>
          text && (
            <NamedValue key={name} name={name}>
              {text}
            </NamedValue>
          ),
      )}
    </dl>
  );
};

const Latest = ({ id }: { readonly id: string }) => {
  const entries = useTimeline(id, []).data?.pages[0]?.data.entries;
  if (!entries) return <Skeleton className="h-40 w-full" />;
  return (
    <ol aria-label={t('Timeline')}>
      {entries.slice(0, MAX_ENTRIES).map((entry) => (
        <TimelineEntryItem key={`${entry.kind} ${entry.id}`} entry={entry} contact={id} />
      ))}
    </ol>
  );
};

/** A contact beside the list. */
const ContactPeek = ({
  id,
  list,
  onOpen,
  onClose,
}: {
  readonly id: string;
  readonly list: OpenList;
  /** Shows another contact of the list. */
  readonly onOpen: (id: string, page: number) => void;
  readonly onClose: () => void;
}) => {
  const query = useQuery(contactQuery(id));
  const neighbors = useNeighbors(id, list, onOpen);
  const contact = query.data?.data;
  return (
    <RecordDialog
      query={query}
      onClose={onClose}
      width="side"
      title={
        <span dir="auto" className="wrap-anywhere">
          {contact ? <NameOrPhone text={contactName(contact)} /> : t('Contact')}
        </span>
      }
      description={contact?.company}
      actions={
        <>
          {neighbors && <Neighbors neighbors={neighbors} isOfDialog />}
          <Button asChild>
            <Link to="/contacts/$id" params={{ id }}>
              {t('Open contact')}
            </Link>
          </Button>
        </>
      }
    >
      {({ data }) => (
        <>
          <Facts contact={data} />
          <h3 className="mt-5 mb-3 text-sm font-semibold">{t('Timeline')}</h3>
          <Latest key={id} id={id} />
        </>
      )}
    </RecordDialog>
  );
};

export default ContactPeek;
