import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { errorDetail, fieldErrors } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { apiQuery, invalidate } from '../../../api/query.ts';
import type { Identity } from '../../../api/types.gen.ts';
import { FormDialog } from '../../../app/form-dialog.tsx';
import { t } from '../../../lib/i18n.ts';
import { identityKinds } from '../../../records/contacts/identities.tsx';
import { Button } from '../../../ui/button.tsx';
import { Input, Select } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { PhoneField } from '../../../ui/phone-field.tsx';
import { toast } from '../../../ui/toast.tsx';

/** Adds a number or another identity to a contact. */
const AddIdentity = ({
  id,
  onMerge,
  onClose,
}: {
  readonly id: string;
  /** Merges the contact with the one that has the identity. */
  readonly onMerge: (holder: string) => void;
  readonly onClose: () => void;
}) => {
  const [kind, setKind] = useState<Identity['kind']>('phone');
  const [value, setValue] = useState('');
  const country = useQuery(apiQuery('/settings')).data?.data.default_country;
  const add = useMutation({
    mutationFn: () =>
      call('POST', '/contacts/{id}/identities', {
        params: { id },
        body: { kind, value: value.trim() },
      }),
    onSuccess: () => {
      void invalidate('/contacts', '/identities', '/calls');
      toast.good(t('Identity added.'));
      onClose();
    },
  });
  const holder = errorDetail(add.error, 'existing_contact_id');
  const problems = fieldErrors(add.error);
  const change = (next: string) => {
    setValue(next);
    add.reset();
  };
  const field = { label: identityKinds[kind], required: true, value, error: problems.value };
  return (
    <FormDialog
      title={t('Add identity')}
      description={t('Calls and messages from it belong to this contact.')}
      width="small"
      dirty={value !== '' && holder === undefined}
      onSubmit={() => add.mutate()}
      onClose={onClose}
      action={t('Add')}
      busy={add.isPending}
      error={holder === undefined ? add.error : undefined}
    >
      <Select
        label={t('Kind')}
        options={Object.entries(identityKinds).map(([each, label]) => ({ value: each, label }))}
        value={kind}
        onChange={({ target }) => {
          setKind(target.value as Identity['kind']);
          change('');
        }}
      />
      {kind === 'phone' ? (
        <PhoneField {...field} autoFocus country={country} onChange={change} />
      ) : (
        <Input {...field} maxLength={255} onChange={({ target }) => change(target.value)} />
      )}
      {holder !== undefined && (
        <Notice
          tone="danger"
          action={
            <span className="flex items-center gap-3">
              <Link to="/contacts/$id" params={{ id: holder }} className="font-medium underline">
                {t('Open contact')}
              </Link>
              <Button size="small" onClick={() => onMerge(holder)}>
                {t('Merge with it…')}
              </Button>
            </span>
          }
        >
          {t('Another contact has this identity. Nothing was changed.')}
        </Notice>
      )}
    </FormDialog>
  );
};

export default AddIdentity;
