import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api/query.ts';
import { useCurrentUser } from '../../app/current-user.ts';
import { t } from '../../lib/i18n.ts';

/** The user who uploaded a file. Only owners can read the names of others. */
export const CreatedBy = ({ id }: { readonly id: string }) => {
  const user = useCurrentUser();
  const isOther = id !== user.id && id.startsWith('user_');
  const users = useQuery({ ...apiQuery('/users'), enabled: isOther && user.role === 'owner' });
  if (id === user.id) return t('you');
  if (!isOther) return id === 'command line' ? t('the command line') : id;
  const email = users.data?.data.find((user) => user.id === id)?.email;
  return <span className="wrap-anywhere">{email ?? t('another member')}</span>;
};
