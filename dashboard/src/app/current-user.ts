import { useSuspenseQuery } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { apiQuery, queryClient } from '../api/query.ts';
import { session } from '../api/session.ts';

export const currentUserQuery = { ...apiQuery('/session'), staleTime: 60_000 };

/** The signed-in user. Only for components inside the shell, which requires a session. */
export const useCurrentUser = () => useSuspenseQuery(currentUserQuery).data.data;

/** Clears the cached data of a previous user after a sign-in. */
export const startSession = (): void => {
  queryClient.clear();
  session.markStarted();
};

export const signOut = async (): Promise<void> => {
  await call('DELETE', '/session').catch(() => undefined);
  location.assign('/sign-in');
};
