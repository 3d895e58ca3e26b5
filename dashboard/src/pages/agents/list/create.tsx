import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { fieldErrors } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import { FormDialog } from '../../../app/form-dialog.tsx';
import { t } from '../../../lib/i18n.ts';
import { Input, Select, Textarea } from '../../../ui/field.tsx';
import { toast } from '../../../ui/toast.tsx';
import { codePointCount, InstructionsCount, MAX_INSTRUCTIONS } from '../instructions-count.tsx';
import UnknownVariables from '../unknown-variables.tsx';
import { templates } from './templates.ts';

const BLANK = 'blank';
const startOptions = [
  { value: BLANK, label: t('Blank') },
  ...templates.map(({ id, name }) => ({ value: id, label: name })),
];

export const CreateAgent = ({ onClose }: { readonly onClose: () => void }) => {
  const [form, setForm] = useState({ name: '', description: '', instructions: '' });
  const [template, setTemplate] = useState(BLANK);
  const [isSubmitted, setSubmitted] = useState(false);
  const navigate = useNavigate();
  const count = codePointCount(form.instructions);
  const isTooLong = count > MAX_INSTRUCTIONS;
  const create = useMutation({
    mutationFn: () =>
      call('POST', '/agents', {
        body: {
          name: form.name,
          instructions: form.instructions,
          ...(form.description && { description: form.description }),
        },
      }),
    onSuccess: ({ data }) => {
      void invalidate('/agents', '/figures');
      toast.good(t('{name} created with draft v1.', { name: data.name }));
      void navigate({ to: '/agents/$id', params: { id: data.id }, ignoreBlocker: true });
    },
  });
  const problems = fieldErrors(create.error);
  const missing = isSubmitted && form.name === '' ? t('Enter a name.') : undefined;
  const tooLong = isTooLong ? t('Shorten the instructions to create the agent.') : undefined;
  const submit = () => {
    setSubmitted(true);
    if (form.name !== '' && !isTooLong) create.mutate();
  };
  const set = (change: Partial<typeof form>) => setForm((now) => ({ ...now, ...change }));
  const startFrom = (id: string) => {
    const { instructions: before } = form;
    set({ instructions: templates.find((each) => each.id === id)?.instructions ?? '' });
    setTemplate(id);
    const isTyped = before !== '' && !templates.some((each) => each.instructions === before);
    if (isTyped)
      toast.good(t('Your text was replaced.'), {
        label: t('Undo'),
        run: () => set({ instructions: before }),
      });
  };
  return (
    <FormDialog
      title={t('Create agent')}
      width="large"
      dirty={Object.values(form).some(Boolean)}
      onSubmit={submit}
      onClose={onClose}
      action={t('Create agent')}
      busy={create.isPending}
      error={create.error}
    >
      <Input
        label={t('Name')}
        required
        autoFocus
        maxLength={100}
        autoComplete="off"
        value={form.name}
        error={problems.name ?? missing}
        onChange={({ target }) => set({ name: target.value })}
      />
      <Input
        label={t('Description')}
        hint={t('What the agent is for. Only your team sees this.')}
        maxLength={500}
        autoComplete="off"
        value={form.description}
        error={problems.description}
        onChange={({ target }) => set({ description: target.value })}
      />
      <Select
        label={t('Start from')}
        hint={template !== BLANK && t('Replace the words in [brackets] with your own.')}
        options={startOptions}
        value={template}
        onChange={({ target }) => startFrom(target.value)}
      />
      <div className="flex flex-col gap-1.5">
        <Textarea
          label={t('Instructions')}
          hint={t('What the agent says and does. Saved as draft v1 and live once you deploy it.')}
          className="[&_textarea]:max-h-[55dvh] [&_textarea]:min-h-60"
          value={form.instructions}
          error={problems.instructions ?? tooLong}
          onChange={({ target }) => set({ instructions: target.value })}
        />
        <InstructionsCount count={count} />
        <div className="overflow-clip rounded-lg">
          <UnknownVariables text={form.instructions} onChange={(instructions) => set({ instructions })} />
        </div>
      </div>
    </FormDialog>
  );
};
