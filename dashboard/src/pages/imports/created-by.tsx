import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api/query.ts';
import { useCurrentUser } from '../../app/current-user.ts';

/** The user who uploaded a file. Only owners can read the names of others. */
export const Sender = ({ id }: { readonly id: string }) => {
  const who = useCurrentUser();
  const isOther = id !== who.id && id.startsWith('user_');
  const users = useQuery({ ...apiQuery('/users'), enabled: isOther && who.role === 'owner' });
  if (id === who.id) return 'you';
  if (!isOther) return id === 'command line' ? 'the command line' : id;
  const email = users.data?.data.find((user) => user.id === id)?.email;
  return <span className="wrap-anywhere">{email ?? 'another member'}</span>;
};
