import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage, fieldErrors } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PasswordInput } from '../../ui/password-input.tsx';

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
  const short =
    password.length < MIN_LENGTH ? t('Use at least {count} characters.', { count: MIN_LENGTH }) : undefined;
  const differs = again !== password ? t("The passwords don't match.") : undefined;
  const submit = () => {
    setSubmitted(true);
    if (!short && !differs) save.mutate();
  };
  const problem = fieldErrors(save.error).new_password;
  return (
    <Form className="flex flex-col gap-4" onSubmit={submit}>
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <PasswordInput
        label={t('New password')}
        autoComplete="new-password"
        required
        autoFocus
        hint={t('At least {count} characters. A few words are easy to remember and hard to guess.', {
          count: MIN_LENGTH,
        })}
        error={(isSubmitted && short) || problem}
        value={password}
        onChange={({ target }) => setPassword(target.value)}
      />
      <PasswordInput
        label={t('Confirm password')}
        autoComplete="new-password"
        required
        error={isSubmitted && !short && differs}
        value={again}
        onChange={({ target }) => setAgain(target.value)}
      />
      {save.isError && !problem && <Notice tone="danger">{errorMessage(save.error)}</Notice>}
      <Button type="submit" variant="primary" busy={save.isPending}>
        {t('Set password')}
      </Button>
    </Form>
  );
};
