import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage, fieldErrors } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { invalidate } from '../../api/query.ts';
import type { Channel, CreatedChannel } from '../../api/types.gen.ts';
import { FormDialog } from '../../app/form-dialog.tsx';
import { t } from '../../lib/i18n.ts';
import { Input, Select } from '../../ui/field.tsx';
import { useAgentOptions } from '../agents/agent-options.tsx';
import { AddressField } from './address-field.tsx';
import { channelTypeLabels } from './labels.tsx';
import { missingSecret, PlatformFields } from './platform.tsx';

const kinds = Object.entries(channelTypeLabels).map(([value, label]) => ({ value, label }));
const blank = {
  kind: 'phone' as Channel['kind'],
  adapter: 'native' as Channel['adapter'],
  name: '',
  address: '',
  agent: '',
  secret: '',
};
type Form = typeof blank;

export interface CreationResult {
  readonly channel: CreatedChannel;
  /** Why the selected agent could not be connected. */
  readonly connectError?: string;
}

const createChannel = async ({ agent, secret, ...channelOf }: Form): Promise<CreationResult> => {
  const { data: channel } = await call('POST', '/channels', {
    body: { ...channelOf, ...(secret && { platform_secret: secret }) },
  });
  if (!agent) return { channel };
  // The secret is returned only once, so a failure to connect the agent must not hide it.
  return call('PUT', '/channels/{id}/agent', { params: { id: channel.id }, body: { agent_id: agent } }).then(
    () => ({ channel }),
    (error: unknown) => ({ channel, connectError: errorMessage(error) }),
  );
};

export const CreateChannel = ({
  agent = '',
  onClose,
  onCreated,
}: {
  /** The agent to connect, unless another one is chosen. */
  readonly agent?: string;
  readonly onClose: () => void;
  readonly onCreated: (created: CreationResult) => void;
}) => {
  const [form, setForm] = useState({ ...blank, agent });
  const [isSubmitted, setSubmitted] = useState(false);
  const agents = useAgentOptions();
  const set = (change: Partial<Form>) => setForm((now) => ({ ...now, ...change }));
  const create = useMutation({
    mutationFn: () => createChannel(form),
    onSuccess: (created) => {
      void invalidate('/channels', '/agents', '/figures');
      onCreated(created);
    },
  });
  const problems = fieldErrors(create.error);
  const needed = (name: 'name' | 'address', sentence: string) =>
    problems[name] ?? (isSubmitted && form[name] === '' ? sentence : undefined);
  const isComplete = form.name !== '' && form.address !== '' && missingSecret(form) === undefined;
  const submit = () => {
    setSubmitted(true);
    if (isComplete) create.mutate();
  };
  return (
    <FormDialog
      title={t('Create channel')}
      dirty={form.name !== '' || form.address !== '' || form.secret !== ''}
      onSubmit={submit}
      onClose={onClose}
      action={t('Create channel')}
      busy={create.isPending}
      error={create.error}
    >
      <Input
        label={t('Name')}
        hint={t('Only your team sees this, e.g. Front desk line.')}
        required
        autoFocus
        maxLength={100}
        autoComplete="off"
        value={form.name}
        error={needed('name', t('Enter a name.'))}
        onChange={({ target }) => set({ name: target.value })}
      />
      <Select
        label={t('Type')}
        required
        options={kinds}
        value={form.kind}
        error={problems.kind}
        onChange={({ target }) => {
          const kind = target.value as Channel['kind'];
          // A web chat has no platform.
          set({ kind, ...(kind === 'web_chat' && { adapter: 'native', secret: '' }) });
        }}
      />
      <AddressField
        kind={form.kind}
        value={form.address}
        error={needed(
          'address',
          form.kind === 'web_chat' ? t('Enter an address.') : t('Enter a phone number.'),
        )}
        onChange={(address) => set({ address })}
      />
      <Select
        label={t('Agent')}
        hint={t('Answers on this channel. You can connect one later.')}
        placeholder={t('No agent')}
        options={agents}
        value={form.agent}
        onChange={({ target }) => set({ agent: target.value })}
      />
      {form.kind !== 'web_chat' && (
        <PlatformFields
          form={form}
          isNew
          problems={{
            adapter: problems.adapter,
            secret: problems.platform_secret ?? (isSubmitted ? missingSecret(form) : undefined),
          }}
          onChange={set}
        />
      )}
    </FormDialog>
  );
};
