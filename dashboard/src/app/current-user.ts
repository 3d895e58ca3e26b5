import { useSuspenseQuery } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { apiQuery, queryClient } from '../api/query.ts';
import { session } from '../api/session.ts';

export const currentUserQuery = { ...apiQuery('/session'), staleTime: 60_000 };

/** Who is signed in. Only for pages inside of the shell, where somebody is. */
export const useCurrentUser = () => useSuspenseQuery(currentUserQuery).data.data;

/** After a sign-in: nothing that was read for somebody else is kept. */
export const startSession = (): void => {
  queryClient.clear();
  session.begun();
};

export const signOut = async (): Promise<void> => {
  await call('DELETE', '/session').catch(() => undefined);
  location.assign('/sign-in');
};
