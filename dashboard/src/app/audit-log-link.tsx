import { Link } from '@tanstack/react-router';
import { History } from 'lucide-react';
import { t } from '../lib/i18n.ts';
import { Button } from '../ui/button.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import { useCurrentUser } from './current-user.ts';

/** Links a record to its changes in the audit log. Only owners can read it. */
export const AuditLogLink = ({ record }: { readonly record: string }) => {
  const { role } = useCurrentUser();
  if (role !== 'owner') return null;
  const label = t('Show in the audit log');
  return (
    <Tooltip text={label}>
      <Button asChild aria-label={label} className="w-9 px-0! max-sm:w-10">
        <Link to="/audit-log" search={{ record }}>
          <History aria-hidden />
        </Link>
      </Button>
    </Tooltip>
  );
};
