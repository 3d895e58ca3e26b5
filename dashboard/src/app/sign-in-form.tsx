import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage, isApiError } from '../api/api-error.ts';
import { call } from '../api/client.ts';
import { t } from '../lib/i18n.ts';
import { Button } from '../ui/button.tsx';
import { Input } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Notice } from '../ui/notice.tsx';
import { PasswordInput } from '../ui/password-input.tsx';
import { rich } from '../ui/rich.tsx';

/** Used by the sign-in page and by the dialog for an ended session. */
export const SignInForm = ({
  email: known = '',
  workspace: knownWorkspace = '',
  adds = false,
  onSignedIn,
}: {
  readonly email?: string;
  /** The workspace to sign in to, if known. */
  readonly workspace?: string;
  /** Whether to keep the current session, to switch between the workspaces. */
  readonly adds?: boolean;
  readonly onSignedIn: (user: { readonly id: string }) => void;
}) => {
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const [workspace, setWorkspace] = useState(knownWorkspace);
  const [isSubmitted, setSubmitted] = useState(false);
  const body = { email: email.trim(), password, workspace: workspace.trim(), ...(adds && { add: true }) };
  const signIn = useMutation({
    mutationFn: () => call('POST', '/session', { body }),
    onSuccess: ({ data }) => onSignedIn(data),
    onError: () => {
      setPassword('');
      setSubmitted(false);
    },
  });
  const submit = () => {
    setSubmitted(true);
    if (email.trim() !== '' && password !== '') signIn.mutate();
  };
  return (
    <Form className="flex flex-col gap-4" onSubmit={submit}>
      <Input
        label={t('Email')}
        type="email"
        name="email"
        autoComplete="username"
        autoFocus={known === ''}
        value={email}
        error={isSubmitted && email.trim() === '' && t('Enter your email.')}
        onChange={({ target }) => setEmail(target.value)}
      />
      <PasswordInput
        label={t('Password')}
        name="password"
        autoComplete="current-password"
        autoFocus={known !== ''}
        value={password}
        error={isSubmitted && password === '' && t('Enter your password.')}
        onChange={({ target }) => setPassword(target.value)}
      />
      {signIn.isError && (
        <Notice tone="danger">
          {isApiError(signIn.error, 'UNAUTHORIZED')
            ? t('Incorrect email or password.')
            : errorMessage(signIn.error)}
        </Notice>
      )}
      {(adds || signIn.isError || workspace !== '') && knownWorkspace === '' && (
        <Input
          label={t('Workspace')}
          hint={t('Only if you use this email in several workspaces.')}
          name="workspace"
          autoComplete="organization"
          value={workspace}
          onChange={({ target }) => setWorkspace(target.value)}
        />
      )}
      <Button type="submit" variant="primary" busy={signIn.isPending}>
        {t('Sign in')}
      </Button>
      <details className="text-sm">
        <summary className="w-fit cursor-pointer rounded text-muted hover:text-ink">
          {t('Forgot your password?')}
        </summary>
        <p className="mt-2 text-muted">
          {rich('Ask an owner of your workspace for a sign-in link, or create one on the server: {command}', {
            command: (
              <code className="mt-1 block rounded-lg bg-sunken px-3 py-2 font-mono text-[0.8125rem] wrap-anywhere text-ink">
                npx roster user link {email.trim() || 'EMAIL'}
              </code>
            ),
          })}
        </p>
      </details>
    </Form>
  );
};
