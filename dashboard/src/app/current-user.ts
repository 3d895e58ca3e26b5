import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/client.ts';
import { apiQuery, queryClient } from '../api/query.ts';
import { session } from '../api/session.ts';
import { createStore } from '../api/store.ts';
import { t } from '../lib/i18n.ts';
import { keptTexts, removeAllKept } from './kept-texts.ts';
import { finishWork } from './leaving.ts';
import { forgetRecords } from './recent.ts';

const CHANNEL = 'roster-session';

export const currentUserQuery = queryOptions({
  ...apiQuery('/session'),
  staleTime: 60_000,
  queryFn: async ({ signal }) => {
    const answer = await call('GET', '/session', { signal });
    const user = session.user();
    if (user !== undefined && user !== answer.data.id) {
      // The pages and their input belong to the former user.
      session.markSwitched();
      throw new ApiError('CONFLICT', t('You switched to another workspace in another tab.'));
    }
    session.setUser(answer.data.id);
    return answer;
  },
});

/** Those that this browser has signed in to. */
export const workspacesQuery = { ...apiQuery('/session/workspaces'), staleTime: 60_000 };

/** The signed-in user. Only for components inside the shell, which requires a session. */
export const useCurrentUser = () => useSuspenseQuery(currentUserQuery).data.data;

/** Clears the cached data of a previous user after a sign-in. */
export const startSession = (): void => {
  queryClient.clear();
  session.forget();
  session.markStarted();
};

/** Informs the other tabs that the session of the browser is another one now. */
export const announceSession = (): void => {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage('changed');
  channel.close();
};

/** Checks the session again when another tab has changed it. Returns a function that stops. */
export const followSession = (): (() => void) => {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = () => void queryClient.refetchQueries({ queryKey: currentUserQuery.queryKey });
  return () => channel.close();
};

/** Makes the session of another workspace the current one. */
export const switchWorkspace = async (user: string): Promise<void> => {
  if (!(await finishWork())) return;
  await call('PUT', '/session/workspace', { body: { id: user } });
  announceSession();
  location.assign('/');
};

/** Makes the session of this tab the current one again, after another tab has switched. */
export const switchBack = async (): Promise<void> => {
  await call('PUT', '/session/workspace', { body: { id: session.user() ?? '' } });
  announceSession();
  session.markStarted();
  void queryClient.invalidateQueries();
};

export const signOut = async (): Promise<void> => {
  if (!(await finishWork())) return;
  await call('DELETE', '/session').catch(() => undefined);
  forgetRecords();
  removeAllKept();
  location.assign('/sign-in');
};

/** Signing out would remove what the browser keeps, so it asks first. */
export const asksToSignOut = createStore(false);

export const requestSignOut = (): void => {
  if (keptTexts().length > 0) asksToSignOut.set(true);
  else void signOut();
};
