import { useMutation } from '@tanstack/react-query';
import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { errorMessage, fieldErrors, isApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { requestSignOut, useCurrentUser } from '../../app/current-user.ts';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/page.tsx';
import { PasswordInput } from '../../ui/password-input.tsx';
import { toast } from '../../ui/toast.tsx';
import { DescriptionList } from './description-list.tsx';
import { roleLabels } from './members/change.tsx';

const MIN_LENGTH = 12;
const blank = { current: '', next: '', again: '' };

/** The account of the signed-in user. */
const Account = () => {
  const { email, role, workspace } = useCurrentUser();
  return (
    <>
      <Section
        title={t('Account')}
        actions={
          <Button onClick={requestSignOut}>
            <LogOut aria-hidden />
            {t('Sign out')}
          </Button>
        }
      >
        <DescriptionList
          items={[
            [t('Email'), email],
            [t('Role'), roleLabels[role]],
            [t('Workspace'), workspace.name],
          ]}
        />
      </Section>
      <Section
        title={t('Password')}
        description={t('Changing your password signs you out on all other devices.')}
      >
        <Password email={email} />
      </Section>
    </>
  );
};

const Password = ({ email }: { readonly email: string }) => {
  const [form, setForm] = useState(blank);
  const [isSubmitted, setSubmitted] = useState(false);
  const set = (change: Partial<typeof form>) => setForm((now) => ({ ...now, ...change }));
  const save = useMutation({
    mutationFn: () =>
      call('PUT', '/session/password', {
        body: { current_password: form.current, new_password: form.next },
      }),
    onSuccess: () => {
      setForm(blank);
      setSubmitted(false);
      toast.good(t('Password changed.'));
    },
  });
  const missing = form.current === '' ? t('Enter your current password.') : undefined;
  const short =
    form.next.length < MIN_LENGTH ? t('Use at least {count} characters.', { count: MIN_LENGTH }) : undefined;
  const differs = form.again !== form.next ? t("The passwords don't match.") : undefined;
  const problems = fieldErrors(save.error);
  const wrong = isApiError(save.error, 'FORBIDDEN') ? save.error.message : problems.current_password;
  const submit = () => {
    setSubmitted(true);
    if (!missing && !short && !differs) save.mutate();
  };
  return (
    <Form className="flex max-w-md flex-col gap-4" onSubmit={submit}>
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <PasswordInput
        label={t('Current password')}
        autoComplete="current-password"
        required
        error={(isSubmitted && missing) || wrong}
        value={form.current}
        onChange={({ target }) => set({ current: target.value })}
      />
      <PasswordInput
        label={t('New password')}
        autoComplete="new-password"
        required
        hint={t('At least {count} characters. A few words are easy to remember and hard to guess.', {
          count: MIN_LENGTH,
        })}
        error={(isSubmitted && short) || problems.new_password}
        value={form.next}
        onChange={({ target }) => set({ next: target.value })}
      />
      <PasswordInput
        label={t('Confirm password')}
        autoComplete="new-password"
        required
        error={isSubmitted && !short && differs}
        value={form.again}
        onChange={({ target }) => set({ again: target.value })}
      />
      {save.isError && !wrong && !problems.new_password && (
        <Notice tone="danger">{errorMessage(save.error)}</Notice>
      )}
      <div>
        <Button type="submit" variant="primary" busy={save.isPending}>
          {t('Change password')}
        </Button>
      </div>
    </Form>
  );
};

export default Account;
