import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { errorMessage, isApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { currentUserQuery, startSession } from '../../app/current-user.ts';
import { SignedOutLayout } from '../../app/signed-out-layout.tsx';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { PasswordForm } from './password-form.tsx';

let taken = '';

/** Removes the one-time token from the URL immediately, so that it is not stored in the browser history. React may render the page
 *  more than once before it is shown, so the token is remembered. */
const takeToken = (): string => {
  const token = decodeURIComponent(location.hash.slice(1));
  if (token) {
    taken = token;
    history.replaceState(history.state, '', location.pathname);
  }
  return taken;
};

let opening: Promise<unknown> | undefined;
const open = (token: string): Promise<unknown> => {
  opening ??= call('POST', '/session/link', { body: { token } }).then(startSession);
  return opening;
};

/** The first sign-in: by a one-time link, then the user sets a password. */
export const WelcomePage = () => {
  const navigate = useNavigate();
  const [token] = useState(takeToken);
  const [opened, setOpened] = useState(token === '');
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    if (token)
      open(token).then(
        () => setOpened(true),
        (failure) => setError(failure),
      );
  }, [token]);
  const user = useQuery({ ...currentUserQuery, enabled: opened });
  const failure = error ?? user.error;
  if (failure)
    return (
      <SignedOutLayout title={t("This sign-in link isn't valid")}>
        <div className="flex flex-col gap-4">
          <Notice tone="danger">
            {isApiError(failure, 'UNAUTHORIZED', 'NOT_FOUND', 'VALIDATION_ERROR')
              ? t(
                  'This link has expired or was already used. Sign in with your password, or ask for a new link.',
                )
              : errorMessage(failure)}
          </Notice>
          <Button asChild variant="primary">
            <Link to="/sign-in">{t('Go to sign-in')}</Link>
          </Button>
        </div>
      </SignedOutLayout>
    );
  if (!user.data)
    return (
      <SignedOutLayout title={t('Welcome to Roster')} text={t('Signing you in…')}>
        <Skeleton className="h-9 w-full" />
      </SignedOutLayout>
    );
  return (
    <SignedOutLayout
      title={t('Welcome to Roster')}
      text={t('You are signed in as {email}. Choose a password for future sign-ins.', {
        email: user.data.data.email,
      })}
    >
      <PasswordForm
        email={user.data.data.email}
        onDone={() => {
          startSession();
          void navigate({ to: '/' });
        }}
      />
    </SignedOutLayout>
  );
};
