import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { fieldErrors } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import { FormDialog } from '../../../app/form-dialog.tsx';
import { Input, Textarea } from '../../../ui/field.tsx';
import { toast } from '../../../ui/toast.tsx';
import { codePointCount, InstructionsCount, MAX_INSTRUCTIONS } from '../instructions-count.tsx';
import { UnknownVariables } from '../unknown-variables.tsx';

export const CreateAgent = ({ onClose }: { readonly onClose: () => void }) => {
  const [form, setForm] = useState({ name: '', description: '', instructions: '' });
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
      toast.good(`${data.name} created with draft v1.`);
      void navigate({ to: '/agents/$id', params: { id: data.id }, ignoreBlocker: true });
    },
  });
  const problems = fieldErrors(create.error);
  const missing = isSubmitted && form.name === '' ? 'Enter a name.' : undefined;
  const tooLong = isTooLong ? 'Shorten the instructions to create the agent.' : undefined;
  const submit = () => {
    setSubmitted(true);
    if (form.name !== '' && !isTooLong) create.mutate();
  };
  const set = (change: Partial<typeof form>) => setForm((now) => ({ ...now, ...change }));
  return (
    <FormDialog
      title="Create agent"
      dirty={Object.values(form).some(Boolean)}
      onSubmit={submit}
      onClose={onClose}
      action="Create agent"
      busy={create.isPending}
      error={create.error}
    >
      <Input
        label="Name"
        required
        autoFocus
        maxLength={100}
        autoComplete="off"
        value={form.name}
        error={problems.name ?? missing}
        onChange={({ target }) => set({ name: target.value })}
      />
      <Input
        label="Description"
        hint="What the agent is for. Only your team sees this."
        maxLength={500}
        autoComplete="off"
        value={form.description}
        error={problems.description}
        onChange={({ target }) => set({ description: target.value })}
      />
      <div className="flex flex-col gap-1.5">
        <Textarea
          label="Instructions"
          hint="What the agent says and does. Saved as draft v1 and live once you deploy it."
          rows={8}
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
