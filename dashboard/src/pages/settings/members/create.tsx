import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors, isApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import type { SignInLink, User } from '../../../api/types.gen.ts';
import { FormDialog } from '../../../app/form-dialog.tsx';
import { SecretDialog } from '../../../app/secret-dialog.tsx';
import { exactTime } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { Input, Select } from '../../../ui/field.tsx';

export interface Invited {
  readonly email: string;
  readonly link: SignInLink;
  /** Whether the user was just added. */
  readonly isNew: boolean;
}

const roles = [
  { value: 'member', label: t('Member') },
  { value: 'owner', label: t('Owner') },
];

export const AddMember = ({
  onClose,
  onAdded,
}: {
  readonly onClose: () => void;
  readonly onAdded: (invited: Invited) => void;
}) => {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<User['role']>('member');
  const [isSubmitted, setSubmitted] = useState(false);
  const add = useMutation({
    mutationFn: () => call('POST', '/users', { body: { email: email.trim(), role } }),
    onSuccess: ({ data }) => {
      void invalidate('/users');
      if (data.link) onAdded({ email: data.email, link: data.link, isNew: true });
      else onClose();
    },
  });
  const problems = fieldErrors(add.error);
  const taken = isApiError(add.error, 'CONFLICT') ? add.error.message : undefined;
  const missing = isSubmitted && email.trim() === '' ? t('Enter an email address.') : undefined;
  const submit = () => {
    setSubmitted(true);
    if (email.trim() !== '') add.mutate();
  };
  return (
    <FormDialog
      title={t('Add member')}
      description={t("You'll get a one-time link to send them, so they can set a password.")}
      width="small"
      dirty={email !== ''}
      onSubmit={submit}
      onClose={onClose}
      action={t('Add member')}
      busy={add.isPending}
      error={taken ? undefined : add.error}
    >
      <Input
        label={t('Email')}
        type="email"
        required
        autoFocus
        maxLength={254}
        autoComplete="off"
        value={email}
        error={problems.email ?? taken ?? missing}
        onChange={({ target }) => setEmail(target.value)}
      />
      <Select
        label={t('Role')}
        hint={t('Owners also manage API keys, members, integrations and workspace settings.')}
        options={roles}
        value={role}
        error={problems.role}
        onChange={({ target }) => setRole(target.value as User['role'])}
      />
    </FormDialog>
  );
};

/** Shows a sign-in link, once. */
export const SignInLinkCreated = ({
  invited: { email, link, isNew },
  onClose,
}: {
  readonly invited: Invited;
  readonly onClose: () => void;
}) => (
  <SecretDialog
    title={isNew ? t('{email} added', { email }) : t('Sign-in link for {email}', { email })}
    kind="link"
    secret={location.origin + link.url_path}
    explanation={t(
      'Send it only to {email}. Anyone who opens it is signed in as them. It works once and expires {date}. Earlier links no longer work.',
      { email, date: exactTime(link.expires_at) },
    )}
    onClose={onClose}
  />
);
