import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/client.ts';
import { isFailure, messageOf } from '../../api/failure.ts';
import { Button } from '../../ui/button.tsx';
import { Input } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';

/** Email and password. Used by the sign-in page and where a session ended in the middle of work. */
export const SignInForm = ({
  email: known = '',
  onSignedIn,
}: {
  readonly email?: string;
  readonly onSignedIn: (email: string) => void;
}) => {
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const signIn = useMutation({
    mutationFn: () => call('POST', '/session', { body: { email: email.trim(), password } }),
    onSuccess: ({ data }) => onSignedIn(data.email),
    onError: () => setPassword(''),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (email.trim() !== '' && password !== '') signIn.mutate();
  };
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      <Input
        label="Email"
        type="email"
        name="email"
        autoComplete="username"
        autoFocus={known === ''}
        value={email}
        onChange={({ target }) => setEmail(target.value)}
      />
      <Input
        label="Password"
        type="password"
        name="password"
        autoComplete="current-password"
        autoFocus={known !== ''}
        value={password}
        onChange={({ target }) => setPassword(target.value)}
      />
      {signIn.isError && (
        <Notice tone="danger">
          {isFailure(signIn.error, 'UNAUTHORIZED')
            ? 'The email or the password is not right.'
            : messageOf(signIn.error)}
        </Notice>
      )}
      <Button type="submit" look="primary" busy={signIn.isPending}>
        Sign in
      </Button>
    </form>
  );
};
