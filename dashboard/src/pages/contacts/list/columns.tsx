import type { Contact } from '../../../api/types.gen.ts';
import { contactName } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { stringifySearch } from '../../../lib/search-params.ts';
import { sourceLabels } from '../../../records/contacts/sources.ts';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import { CellLink } from '../../../ui/cell-link.tsx';
import { cx } from '../../../ui/cx.ts';
import { NameOrPhone, Phone } from '../../../ui/phone.tsx';
import { RowLink } from '../../../ui/row-link.tsx';
import type { Column } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { LastContact } from '../activity.tsx';

const sourceTones: Record<Contact['source'], Tone> = {
  api: 'info',
  import: 'plain',
  manual: 'good',
  inbound: 'warn',
  webhook: 'info',
};

const MAX_TAGS = 3;

const Tags = ({ tags }: { readonly tags: readonly string[] }) =>
  tags.length > 0 && (
    <span className="flex min-w-0 gap-1 max-sm:flex-wrap">
      {tags.slice(0, MAX_TAGS).map((tag) => (
        <CellLink
          key={tag}
          href={`/contacts${stringifySearch({ tag })}`}
          title={t('Show contacts tagged {tag}', { tag })}
          className="relative z-10 max-w-40 min-w-8 rounded-md hover:underline sm:@max-4xl:max-w-20"
        >
          <Badge>{tag}</Badge>
        </CellLink>
      ))}
      {tags.length > MAX_TAGS && <Badge>+{tags.length - MAX_TAGS}</Badge>}
    </span>
  );

const Company = ({ company }: { readonly company: string }) => (
  <CellLink
    href={`/contacts${stringifySearch({ company })}`}
    title={t('Show contacts at {company}', { company })}
    className="relative z-10 hover:underline"
  >
    {company}
  </CellLink>
);

const text = 'truncate text-[0.8125rem] text-muted';

/** Rows have the same height: a name has one line, and one line below it. */
export const columns: readonly Column<Contact>[] = [
  {
    id: 'name',
    header: t('Name'),
    phone: 'title',
    sort: 'name',
    cell: (contact) => (
      <div className="min-w-0">
        <div dir="auto" className="sm:truncate">
          <RowLink href={`/contacts/${contact.id}`}>
            <span dir="auto" className="wrap-anywhere">
              <NameOrPhone text={contactName(contact)} />
            </span>
          </RowLink>
        </div>
        {(contact.company || contact.email) && (
          // Does not widen the column.
          <div
            dir="auto"
            title={contact.company ?? contact.email ?? undefined}
            className={cx(text, 'sm:w-0 sm:min-w-full')}
          >
            {contact.company ? <Company company={contact.company} /> : contact.email}
          </div>
        )}
      </div>
    ),
  },
  {
    id: 'phone',
    header: t('Phone'),
    className: 'figure whitespace-nowrap',
    cell: ({ phone_number }) => <Phone number={phone_number} />,
  },
  { id: 'tags', header: t('Tags'), share: 0.3, cell: ({ tags }) => <Tags tags={tags} /> },
  {
    id: 'email',
    header: t('Email'),
    isExtra: true,
    cell: ({ email }) =>
      email && (
        <div dir="auto" className="truncate" title={email}>
          {email}
        </div>
      ),
  },
  {
    id: 'company',
    header: t('Company'),
    isExtra: true,
    cell: ({ company }) =>
      company && (
        <div dir="auto" className="truncate">
          <Company company={company} />
        </div>
      ),
  },
  {
    id: 'source',
    header: t('Source'),
    phone: 'hidden',
    hideBelow: 'wide',
    className: 'whitespace-nowrap',
    cell: ({ source }) => <Badge tone={sourceTones[source]}>{sourceLabels[source]}</Badge>,
  },
  {
    id: 'created',
    header: t('Created'),
    align: 'end',
    sort: 'created_at',
    sortFirst: 'descending',
    isExtra: true,
    phone: 'hidden',
    className: 'whitespace-nowrap text-muted',
    cell: ({ created_at }) => <Time at={created_at} />,
  },
  {
    id: 'updated',
    header: t('Updated'),
    align: 'end',
    sort: 'updated_at',
    sortFirst: 'descending',
    isExtra: true,
    phone: 'hidden',
    className: 'whitespace-nowrap text-muted',
    cell: ({ updated_at }) => <Time at={updated_at} />,
  },
  {
    id: 'last',
    header: t('Last contact'),
    align: 'end',
    sort: 'last_contact_at',
    sortFirst: 'descending',
    hideBelow: 'medium',
    className: 'whitespace-nowrap text-muted',
    phone: 'hidden',
    cell: ({ id }) => <LastContact id={id} />,
  },
];
