import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { plural, t } from '../../../lib/i18n.ts';
import { Notice } from '../../../ui/notice.tsx';
import { conflictCountQuery } from '../phone-conflicts.ts';

/** Links to the contacts with conflicting numbers, if there are any. */
export const ConflictHint = () => {
  const total = useQuery(conflictCountQuery).data?.pagination.total ?? 0;
  if (total === 0) return null;
  return (
    <div className="mb-3">
      <Notice
        tone="warn"
        action={
          <Link to="/contacts" search={{ view: 'conflicts' }} className="font-medium underline">
            {t('Review')}
          </Link>
        }
      >
        {plural(
          total,
          '# legacy contact has conflicting phone numbers.',
          '# legacy contacts have conflicting phone numbers.',
        )}
      </Notice>
    </div>
  );
};
