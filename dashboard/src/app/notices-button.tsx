import { useQuery } from '@tanstack/react-query';
import { Bell } from 'lucide-react';
import { apiQuery } from '../api/query.ts';
import { numberText, plural, t } from '../lib/i18n.ts';
import { IconButton } from '../ui/button.tsx';

const MAX_SHOWN = 99;

export const noticesQuery = apiQuery('/notices');

/** Opens the notices and shows how many are unread. */
export const NoticesButton = ({ onOpen }: { readonly onOpen: () => void }) => {
  const unread = useQuery(noticesQuery).data?.data.unread ?? 0;
  return (
    <span className="relative inline-flex shrink-0">
      <IconButton
        label={unread > 0 ? plural(unread, 'Notices, # unread', 'Notices, # unread') : t('Notices')}
        icon={<Bell aria-hidden />}
        onClick={onOpen}
      />
      {unread > 0 && (
        <span
          aria-hidden
          className="pointer-events-none absolute -top-0.5 -right-0.5 grid h-4.5 min-w-4.5 place-items-center rounded-full bg-accent px-1 text-[0.6875rem] font-semibold text-on-accent"
        >
          {unread > MAX_SHOWN ? `${numberText(MAX_SHOWN)}+` : numberText(unread)}
        </span>
      )}
    </span>
  );
};
