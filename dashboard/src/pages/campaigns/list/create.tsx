import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { fieldErrors } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import type { Campaign } from '../../../api/types.gen.ts';
import { FormDialog } from '../../../app/form-dialog.tsx';
import { t } from '../../../lib/i18n.ts';
import { segmentsQuery } from '../../../records/contacts/segments.tsx';
import { Input, Select } from '../../../ui/field.tsx';
import { toast } from '../../../ui/toast.tsx';
import { AgentField } from '../agent.tsx';
import { type Audience, AudienceFields, shareSegment } from '../segment-audience.tsx';

const statuses = [
  { value: 'draft', label: t('Draft: not started yet') },
  { value: 'active', label: t('Active: starts after you confirm') },
  { value: 'paused', label: t('Paused: ready to resume') },
];
const blank = { name: '', agent: '', status: 'draft' as Campaign['status'], audience: null as Audience };

const CreateCampaign = ({ onClose }: { readonly onClose: () => void }) => {
  const [form, setForm] = useState(blank);
  const [isSubmitted, setSubmitted] = useState(false);
  const navigate = useNavigate();
  const segments = useQuery(segmentsQuery).data?.data ?? [];
  const set = (change: Partial<typeof form>) => setForm((now) => ({ ...now, ...change }));
  const create = useMutation({
    // A campaign that is to be active begins as a draft: its page asks before it starts.
    mutationFn: async () => {
      await shareSegment(form.audience, segments);
      return call('POST', '/campaigns', {
        body: {
          name: form.name,
          agent_id: form.agent,
          status: form.status === 'active' ? 'draft' : form.status,
          audience: form.audience,
        },
      });
    },
    onSuccess: ({ data }) => {
      void invalidate('/campaigns', '/figures');
      toast.good(t('{name} created.', { name: data.name }));
      void navigate({
        to: '/campaigns/$id',
        params: { id: data.id },
        search: { open: form.status === 'active' ? 'start' : undefined },
        ignoreBlocker: true,
      });
    },
  });
  const problems = fieldErrors(create.error);
  const needed = (name: 'name' | 'agent', sentence: string) =>
    isSubmitted && form[name] === '' ? sentence : undefined;
  const submit = () => {
    setSubmitted(true);
    if (form.name !== '' && form.agent !== '') create.mutate();
  };
  return (
    <FormDialog
      title={t('Create campaign')}
      dirty={form.name !== '' || form.agent !== '' || form.audience !== null}
      onSubmit={submit}
      onClose={onClose}
      action={t('Create campaign')}
      busy={create.isPending}
      error={create.error}
    >
      <Input
        label={t('Name')}
        hint={t('Only your team sees this, e.g. Spring check-up.')}
        required
        autoFocus
        maxLength={100}
        autoComplete="off"
        value={form.name}
        error={problems.name ?? needed('name', t('Enter a name.'))}
        onChange={({ target }) => set({ name: target.value })}
      />
      <AgentField
        value={form.agent}
        error={problems.agent_id ?? needed('agent', t('Choose an agent.'))}
        onChange={(agent) => set({ agent })}
      />
      <AudienceFields
        value={form.audience}
        error={problems.audience ?? problems['audience.segment_id']}
        onChange={(audience) => set({ audience })}
      />
      <Select
        label={t('Status')}
        options={statuses}
        value={form.status}
        error={problems.status}
        onChange={({ target }) => set({ status: target.value as Campaign['status'] })}
      />
    </FormDialog>
  );
};

export default CreateCampaign;
