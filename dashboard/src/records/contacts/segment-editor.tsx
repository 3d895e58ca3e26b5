import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import type { Segment } from '../../api/types.gen.ts';
import { FormDialog } from '../../app/form-dialog.tsx';
import { t } from '../../lib/i18n.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Input } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.tsx';
import { FilterField } from './filter/filter-field.tsx';
import { bodyFilter, filterOf, refreshSegments } from './segments.tsx';

const MAX_NAME = 100;

/** Creates a segment, edits one, or creates a copy of one. */
const SegmentEditor = ({
  segment,
  isCopy = false,
  onSaved,
  onClose,
}: {
  readonly segment?: Segment | undefined;
  readonly isCopy?: boolean;
  readonly onSaved?: (segment: Segment) => void;
  readonly onClose: () => void;
}) => {
  const [before] = useState(() => ({
    name: segment
      ? isCopy
        ? t('{name} (copy)', { name: segment.name }).slice(0, MAX_NAME)
        : segment.name
      : '',
    filter: segment && filterOf(segment),
    shared: segment ? segment.shared && !isCopy : true,
  }));
  const [form, setForm] = useState(before);
  const [isSubmitted, setSubmitted] = useState(false);
  const set = (change: Partial<typeof form>) => setForm((now) => ({ ...now, ...change }));
  const isEdit = segment !== undefined && !isCopy;
  const save = useMutation({
    mutationFn: async () => {
      const body = { name: form.name, filter: bodyFilter(form.filter), shared: form.shared };
      const { sort = null, columns = null } = segment ?? {};
      return isEdit
        ? (await call('PATCH', '/segments/{id}', { params: { id: segment.id }, body })).data
        : (await call('POST', '/segments', { body: { ...body, sort, columns } })).data;
    },
    onSuccess: (saved) => {
      void refreshSegments();
      toast.good(t('{name} saved.', { name: saved.name }));
      onSaved?.(saved);
      onClose();
    },
  });
  const problems = fieldErrors(save.error);
  const others = Object.entries(problems).filter(([field]) => field !== 'name');
  const submit = () => {
    setSubmitted(true);
    if (form.name.trim() !== '') save.mutate();
  };
  return (
    <FormDialog
      title={isEdit ? t('Edit segment') : t('Create segment')}
      width="large"
      dirty={JSON.stringify(form) !== JSON.stringify(before)}
      onSubmit={submit}
      onClose={onClose}
      action={isEdit ? t('Save') : t('Create segment')}
      busy={save.isPending}
      error={save.error}
    >
      <Input
        label={t('Name')}
        required
        autoFocus={!isEdit}
        maxLength={MAX_NAME}
        autoComplete="off"
        value={form.name}
        error={problems.name ?? (isSubmitted && form.name.trim() === '' ? t('Enter a name.') : undefined)}
        onChange={({ target }) => set({ name: target.value })}
      />
      <FilterField value={form.filter} onChange={(filter) => set({ filter })} />
      {(!isEdit || segment.own) && (
        <Checkbox
          label={t('Share with the workspace')}
          hint={t('All members see it, and campaigns can use it as their audience.')}
          checked={form.shared}
          onChange={(shared) => set({ shared })}
        />
      )}
      {others.length > 0 && (
        <Notice tone="danger">{others.map(([field, message]) => `${field}: ${message}`).join(' ')}</Notice>
      )}
    </FormDialog>
  );
};

export default SegmentEditor;
