import { getRouteApi, useRouter } from '@tanstack/react-router';
import { Gate } from '../../app/gate.tsx';
import { signedIn } from '../../app/who.ts';
import { SignInForm } from './form.tsx';

const route = getRouteApi('/sign-in');

export const SignInPage = () => {
  const search = route.useSearch();
  const router = useRouter();
  const goOn = () => {
    signedIn();
    router.history.push(search.return ?? '/');
  };
  return (
    <Gate
      title="Sign in to Roster"
      text={
        search.return ? 'You will return to where you were.' : 'Contacts, and the agents that talk to them.'
      }
    >
      <SignInForm onSignedIn={goOn} />
    </Gate>
  );
};
