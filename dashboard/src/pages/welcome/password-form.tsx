import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage, fieldErrors } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Input } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';

const MIN_LENGTH = 12;

/** Sets the first password after a sign-in by link, without asking for a current one. */
export const PasswordForm = ({ email, onDone }: { readonly email: string; readonly onDone: () => void }) => {
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const [isSubmitted, setSubmitted] = useState(false);
  const save = useMutation({
    mutationFn: () => call('PUT', '/session/password', { body: { new_password: password } }),
    onSuccess: onDone,
  });
  const short = password.length < MIN_LENGTH ? `Use at least ${MIN_LENGTH} characters.` : undefined;
  const differs = again !== password ? "The passwords don't match." : undefined;
  const submit = () => {
    setSubmitted(true);
    if (!short && !differs) save.mutate();
  };
  const problem = fieldErrors(save.error).new_password;
  return (
    <Form className="flex flex-col gap-4" onSubmit={submit}>
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <Input
        label="New password"
        type="password"
        autoComplete="new-password"
        required
        autoFocus
        hint={`At least ${MIN_LENGTH} characters. A few words are easy to remember and hard to guess.`}
        error={(isSubmitted && short) || problem}
        value={password}
        onChange={({ target }) => setPassword(target.value)}
      />
      <Input
        label="Confirm password"
        type="password"
        autoComplete="new-password"
        required
        error={isSubmitted && !short && differs}
        value={again}
        onChange={({ target }) => setAgain(target.value)}
      />
      {save.isError && !problem && <Notice tone="danger">{errorMessage(save.error)}</Notice>}
      <Button type="submit" variant="primary" busy={save.isPending}>
        Set password
      </Button>
    </Form>
  );
};
