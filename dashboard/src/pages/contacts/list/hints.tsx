import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { apiQuery } from '../../../api/query.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { Notice } from '../../../ui/notice.tsx';
import { conflictCountQuery } from '../phone-conflicts.ts';
import type { ContactsSearch } from './url-params.ts';

const peopleCountQuery = {
  ...apiQuery('/identities', { query: { contact: 'none', limit: 1 } }),
  staleTime: conflictCountQuery.staleTime,
};

const Hint = ({
  tone,
  view,
  text,
}: {
  readonly tone: 'info' | 'warn';
  readonly view: ContactsSearch['view'];
  readonly text: string;
}) => (
  <div className="mb-3">
    <Notice
      tone={tone}
      action={
        <Link to="/contacts" search={{ view }} className="font-medium underline">
          {t('Review')}
        </Link>
      }
    >
      {text}
    </Notice>
  </div>
);

/** Links to the contacts with conflicting numbers and to the people without a contact, if there are any. */
export const Hints = () => {
  const conflicts = useQuery(conflictCountQuery).data?.pagination.total ?? 0;
  const people = useQuery(peopleCountQuery).data?.pagination.total ?? 0;
  return (
    <>
      {conflicts > 0 && (
        <Hint
          tone="warn"
          view="conflicts"
          text={plural(
            conflicts,
            '# legacy contact has conflicting phone numbers.',
            '# legacy contacts have conflicting phone numbers.',
          )}
        />
      )}
      {people > 0 && (
        <Hint
          tone="info"
          view="people"
          text={plural(
            people,
            '# person without a phone number has no contact yet.',
            '# people without a phone number have no contact yet.',
          )}
        />
      )}
    </>
  );
};
