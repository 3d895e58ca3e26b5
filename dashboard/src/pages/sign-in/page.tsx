import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { announceSession, startSession } from '../../app/current-user.ts';
import { finishWork } from '../../app/leaving.ts';
import { SignInForm } from '../../app/sign-in-form.tsx';
import { SignedOutLayout } from '../../app/signed-out-layout.tsx';
import { t } from '../../lib/i18n.ts';

const route = getRouteApi('/sign-in');

export const SignInPage = () => {
  const search = route.useSearch();
  const router = useRouter();
  // What waits belongs to the current workspace.
  useEffect(() => {
    if (search.add) void finishWork();
  }, [search.add]);
  const finish = () => {
    startSession();
    // Another tab may show the former workspace.
    if (search.add) announceSession();
    router.history.push(search.return ?? '/');
  };
  return (
    <SignedOutLayout
      title={search.add ? t('Add workspace') : t('Sign in to Roster')}
      text={
        search.add
          ? t(
              'Sign in to another workspace. You stay signed in to the current one and can switch between them.',
            )
          : search.return
            ? t("You'll return to the page you were on.")
            : t('Contacts and the agents that talk to them.')
      }
    >
      <SignInForm adds={search.add === true} onSignedIn={finish} />
      {search.add && (
        <Link to="/" className="mt-4 inline-block rounded text-sm text-muted hover:underline">
          {t('Back to the current workspace')}
        </Link>
      )}
    </SignedOutLayout>
  );
};
