import { Link } from '@tanstack/react-router';
import type { Contact } from '../../../api/types.gen.ts';
import { contactName } from '../../../lib/format.ts';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import { RowLink } from '../../../ui/row-link.tsx';
import type { Column } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { hasActivity, sourceLabels } from '../labels.ts';

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
    <span className="flex min-w-0 flex-wrap gap-1">
      {tags.slice(0, MAX_TAGS).map((tag) => (
        <Link
          key={tag}
          to="/contacts"
          search={{ tag }}
          title={`Show contacts tagged ${tag}`}
          className="relative z-10 max-w-40 rounded-md hover:underline"
        >
          <Badge>{tag}</Badge>
        </Link>
      ))}
      {tags.length > MAX_TAGS && <Badge>+{tags.length - MAX_TAGS}</Badge>}
    </span>
  );

export const columns: readonly Column<Contact>[] = [
  {
    id: 'name',
    header: 'Name',
    phone: 'title',
    cell: (contact) => (
      <div className="min-w-0">
        <RowLink to="/contacts/$id" params={{ id: contact.id }}>
          <span dir="auto" className="wrap-anywhere">
            {contactName(contact)}
          </span>
        </RowLink>
        {(contact.company || contact.email) && (
          <div dir="auto" className="truncate text-[0.8125rem] text-muted">
            {contact.company ? (
              <Link
                to="/contacts"
                search={{ company: contact.company }}
                title={`Show contacts at ${contact.company}`}
                className="relative z-10 hover:underline"
              >
                {contact.company}
              </Link>
            ) : (
              contact.email
            )}
          </div>
        )}
      </div>
    ),
  },
  {
    id: 'phone',
    header: 'Phone',
    className: 'figure whitespace-nowrap',
    cell: ({ phone_number }) => phone_number,
  },
  { id: 'tags', header: 'Tags', cell: ({ tags }) => <Tags tags={tags} /> },
  {
    id: 'source',
    header: 'Source',
    phone: 'hidden',
    hideBelow: 'wide',
    className: 'whitespace-nowrap',
    cell: ({ source }) => <Badge tone={sourceTones[source]}>{sourceLabels[source]}</Badge>,
  },
  {
    id: 'last',
    header: 'Last contact',
    align: 'end',
    hideBelow: 'medium',
    className: 'whitespace-nowrap text-muted',
    phone: 'hidden',
    cell: (contact) => (hasActivity(contact) ? <Time at={contact.last_contact_at} /> : 'No activity yet'),
  },
];
