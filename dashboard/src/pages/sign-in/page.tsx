import { getRouteApi, useRouter } from '@tanstack/react-router';
import { startSession } from '../../app/current-user.ts';
import { SignInForm } from '../../app/sign-in-form.tsx';
import { SignedOutLayout } from '../../app/signed-out-layout.tsx';

const route = getRouteApi('/sign-in');

export const SignInPage = () => {
  const search = route.useSearch();
  const router = useRouter();
  const finish = () => {
    startSession();
    router.history.push(search.return ?? '/');
  };
  return (
    <SignedOutLayout
      title="Sign in to Roster"
      text={
        search.return
          ? "You'll return to the page you were on."
          : 'Contacts and the agents that talk to them.'
      }
    >
      <SignInForm onSignedIn={finish} />
    </SignedOutLayout>
  );
};
