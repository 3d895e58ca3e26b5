import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage, isApiError } from '../api/api-error.ts';
import { call } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { Input } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Notice } from '../ui/notice.tsx';

/** Used by the sign-in page and by the dialog for an ended session. */
export const SignInForm = ({
  email: known = '',
  workspace: knownWorkspace = '',
  onSignedIn,
}: {
  readonly email?: string;
  /** The workspace to sign in to, if known. */
  readonly workspace?: string;
  readonly onSignedIn: (user: { readonly id: string }) => void;
}) => {
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const [workspace, setWorkspace] = useState(knownWorkspace);
  const [isSubmitted, setSubmitted] = useState(false);
  const signIn = useMutation({
    mutationFn: () =>
      call('POST', '/session', { body: { email: email.trim(), password, workspace: workspace.trim() } }),
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
        label="Email"
        type="email"
        name="email"
        autoComplete="username"
        autoFocus={known === ''}
        value={email}
        error={isSubmitted && email.trim() === '' && 'Enter your email.'}
        onChange={({ target }) => setEmail(target.value)}
      />
      <Input
        label="Password"
        type="password"
        name="password"
        autoComplete="current-password"
        autoFocus={known !== ''}
        value={password}
        error={isSubmitted && password === '' && 'Enter your password.'}
        onChange={({ target }) => setPassword(target.value)}
      />
      {signIn.isError && (
        <Notice tone="danger">
          {isApiError(signIn.error, 'UNAUTHORIZED')
            ? 'Incorrect email or password.'
            : errorMessage(signIn.error)}
        </Notice>
      )}
      {(signIn.isError || workspace !== '') && knownWorkspace === '' && (
        <Input
          label="Workspace"
          hint="Only if you use this email in several workspaces."
          name="workspace"
          autoComplete="organization"
          value={workspace}
          onChange={({ target }) => setWorkspace(target.value)}
        />
      )}
      <Button type="submit" variant="primary" busy={signIn.isPending}>
        Sign in
      </Button>
    </Form>
  );
};
