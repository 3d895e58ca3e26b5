import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors, isApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import type { Channel } from '../../../api/types.gen.ts';
import { ConflictButtons, ConflictComparison } from '../../../app/edit-conflict.tsx';
import { FormDialog } from '../../../app/form-dialog.tsx';
import { t } from '../../../lib/i18n.ts';
import { AddressField } from '../../../records/channels/address-field.tsx';
import { missingSecret, PlatformFields, platformLabels } from '../../../records/channels/platform.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Input } from '../../../ui/field.tsx';
import { NameOrPhone } from '../../../ui/phone.tsx';
import { toast } from '../../../ui/toast.tsx';

interface LoadedChannel {
  readonly data: Channel;
  readonly etag: string | null;
}

/** Edits the name and address of a channel. If someone else changed it meanwhile, shows both versions and asks
 *  which one to use. */
export const EditChannel = ({
  loaded,
  onClose,
}: {
  readonly loaded: LoadedChannel;
  readonly onClose: () => void;
}) => {
  const [from, setFrom] = useState(loaded);
  const [form, setForm] = useState({
    name: loaded.data.name,
    address: loaded.data.address,
    adapter: loaded.data.adapter,
    secret: '',
    isOldAccepted: true,
  });
  const [isSubmitted, setSubmitted] = useState(false);
  const [theirs, setTheirs] = useState<LoadedChannel>();
  const set = (change: Partial<typeof form>) => setForm((now) => ({ ...now, ...change }));
  const { id, kind } = loaded.data;
  const current = (theirs ?? from).data;
  const isMoved = form.adapter !== current.adapter;
  const missing = isMoved ? missingSecret(form) : undefined;
  const save = useMutation({
    mutationFn: (etag: string | null) =>
      call('PATCH', '/channels/{id}', {
        params: { id },
        ifMatch: etag,
        body: {
          name: form.name,
          address: form.address,
          ...(form.adapter !== current.adapter && { adapter: form.adapter }),
          ...(form.secret && {
            platform_secret: form.secret,
            grace_hours: form.isOldAccepted && form.adapter === current.adapter ? 24 : 0,
          }),
        },
      }),
    onSuccess: () => {
      void invalidate('/channels', '/calls');
      toast.good(t('{name} saved.', { name: form.name }));
      onClose();
    },
    onError: async (error) => {
      if (isApiError(error, 'PRECONDITION_FAILED'))
        setTheirs(await call('GET', '/channels/{id}', { params: { id } }));
    },
  });
  const problems = fieldErrors(save.error);
  const isChanged =
    form.name !== from.data.name ||
    form.address !== from.data.address ||
    form.adapter !== from.data.adapter ||
    form.secret !== '';
  const takeTheirs = ({ data, etag }: LoadedChannel) => {
    setFrom({ data, etag });
    set({ name: data.name, address: data.address, adapter: data.adapter, secret: '' });
    setTheirs(undefined);
    save.reset();
  };
  return (
    <FormDialog
      title={t('Edit channel')}
      dirty={isChanged}
      onSubmit={() => {
        setSubmitted(true);
        if (missing === undefined) save.mutate((theirs ?? from).etag);
      }}
      onClose={onClose}
      action={t('Save')}
      busy={save.isPending}
      error={theirs ? undefined : save.error}
      footer={theirs && <ConflictButtons busy={save.isPending} onUseTheirs={() => takeTheirs(theirs)} />}
    >
      {theirs ? (
        <ConflictComparison
          kind="channel"
          theirs={
            <Version
              name={theirs.data.name}
              address={theirs.data.address}
              adapter={theirs.data.adapter}
              agent={theirs.data.agent ? t('Agent: {name}', { name: theirs.data.agent.name }) : t('No agent')}
            />
          }
          yours={
            <Version
              name={form.name}
              address={form.address}
              adapter={form.adapter}
              agent={t('Agent unchanged')}
            />
          }
        />
      ) : (
        <>
          <Input
            label={t('Name')}
            required
            autoFocus
            maxLength={100}
            autoComplete="off"
            value={form.name}
            error={problems.name}
            onChange={({ target }) => set({ name: target.value })}
          />
          <AddressField
            kind={kind}
            value={form.address}
            error={problems.address}
            onChange={(address) => set({ address })}
          />
          {kind !== 'web_chat' && (
            <PlatformFields
              form={form}
              isNew={isMoved}
              problems={{
                adapter: problems.adapter,
                secret: problems.platform_secret ?? (isSubmitted ? missing : undefined),
              }}
              onChange={set}
            />
          )}
          {form.secret !== '' && !isMoved && (
            <Checkbox
              label={t('Accept the old one, if there is one, for another 24 hours')}
              hint={t('The platform signs with it until you change it there.')}
              checked={form.isOldAccepted}
              onChange={(isOldAccepted) => set({ isOldAccepted })}
            />
          )}
        </>
      )}
    </FormDialog>
  );
};

const Version = ({
  name,
  address,
  adapter,
  agent,
}: Pick<Channel, 'name' | 'address' | 'adapter'> & { readonly agent: string }) => (
  <>
    <p dir="auto" className="wrap-anywhere">
      {name}
    </p>
    <p className="figure wrap-anywhere text-muted">
      <NameOrPhone text={address} />
    </p>
    <p className="text-[0.8125rem] text-muted">{platformLabels[adapter]}</p>
    <p className="text-[0.8125rem] text-muted">{agent}</p>
  </>
);
