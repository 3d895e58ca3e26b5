import { useMutation } from '@tanstack/react-query';
import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { errorMessage, fieldErrors, isApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { signOut, useCurrentUser } from '../../app/current-user.ts';
import { Button } from '../../ui/button.tsx';
import { Input } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/page.tsx';
import { toast } from '../../ui/toast.tsx';
import { DescriptionList } from './description-list.tsx';
import { roleLabels } from './members/change.tsx';

const MIN_LENGTH = 12;
const blank = { current: '', next: '', again: '' };

/** The account of the signed-in user. */
export const Account = () => {
  const { email, role, workspace } = useCurrentUser();
  return (
    <>
      <Section
        title="Account"
        actions={
          <Button onClick={() => void signOut()}>
            <LogOut aria-hidden />
            Sign out
          </Button>
        }
      >
        <DescriptionList
          items={[
            ['Email', email],
            ['Role', roleLabels[role]],
            ['Workspace', workspace.name],
          ]}
        />
      </Section>
      <Section title="Password" description="Changing your password signs you out on all other devices.">
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
      toast.good('Password changed.');
    },
  });
  const missing = form.current === '' ? 'Enter your current password.' : undefined;
  const short = form.next.length < MIN_LENGTH ? `Use at least ${MIN_LENGTH} characters.` : undefined;
  const differs = form.again !== form.next ? "The passwords don't match." : undefined;
  const problems = fieldErrors(save.error);
  const wrong = isApiError(save.error, 'FORBIDDEN') ? save.error.message : problems.current_password;
  const submit = () => {
    setSubmitted(true);
    if (!missing && !short && !differs) save.mutate();
  };
  return (
    <Form className="flex max-w-md flex-col gap-4" onSubmit={submit}>
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <Input
        label="Current password"
        type="password"
        autoComplete="current-password"
        required
        error={(isSubmitted && missing) || wrong}
        value={form.current}
        onChange={({ target }) => set({ current: target.value })}
      />
      <Input
        label="New password"
        type="password"
        autoComplete="new-password"
        required
        hint={`At least ${MIN_LENGTH} characters. A few words are easy to remember and hard to guess.`}
        error={(isSubmitted && short) || problems.new_password}
        value={form.next}
        onChange={({ target }) => set({ next: target.value })}
      />
      <Input
        label="Confirm password"
        type="password"
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
          Change password
        </Button>
      </div>
    </Form>
  );
};
