import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api/query.ts';
import { useCurrentUser } from '../../app/current-user.ts';
import { t } from '../../lib/i18n.ts';

/** The user who uploaded a file, in a sentence or alone in a cell. Only owners can read the names of others. */
export const CreatedBy = ({
  id,
  inSentence = false,
}: {
  readonly id: string;
  readonly inSentence?: boolean;
}) => {
  const user = useCurrentUser();
  const isOther = id !== user.id && id.startsWith('user_');
  const users = useQuery({ ...apiQuery('/users'), enabled: isOther && user.role === 'owner' });
  if (id === user.id) return inSentence ? t('you') : t('You');
  if (!isOther && id !== 'command line') return id;
  if (!isOther) return inSentence ? t('the command line') : t('Command line');
  const email = users.data?.data.find((user) => user.id === id)?.email;
  return (
    <span className="wrap-anywhere">{email ?? (inSentence ? t('another member') : t('Another member'))}</span>
  );
};
