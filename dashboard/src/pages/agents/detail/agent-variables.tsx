import { useMutation, useQuery } from '@tanstack/react-query';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { fieldErrors } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { invalidate } from '../../../api/query.ts';
import type { AgentVariable } from '../../../api/types.gen.ts';
import { FormDialog } from '../../../app/form-dialog.tsx';
import { t } from '../../../lib/i18n.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Input } from '../../../ui/field.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toast.tsx';
import { declaredQuery } from '../variables.ts';

interface Props {
  readonly agent: string;
  /** A name to declare, in addition to those that are. */
  readonly name: string | undefined;
  readonly onClose: () => void;
}

const title = t('Variables of this agent');

/** The names that only campaigns or the runtime provide. */
const AgentVariables = (props: Props) => {
  const query = useQuery(declaredQuery(props.agent));
  const { data: declared, etag = null } = query.data ?? {};
  // Changes of others while the dialog is open do not replace what was typed.
  if (declared) return <Form {...props} declared={declared.variables} etag={etag} />;
  return (
    <Dialog open onOpenChange={props.onClose} title={title}>
      {query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Skeleton className="h-40 w-full" />
      )}
    </Dialog>
  );
};

interface Row {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly example: string;
}

const rowOf = ({ name, description, example }: Partial<AgentVariable>, id: number): Row => ({
  id,
  name: name ?? '',
  description: description ?? '',
  example: example ?? '',
});

const isBlank = ({ name, description, example }: Row) => name === '' && description === '' && example === '';

const maxLengths = { name: 40, description: 500, example: 200 } as const;

const Form = ({
  agent,
  name,
  onClose,
  declared,
  etag,
}: Props & { readonly declared: readonly AgentVariable[]; readonly etag: string | null }) => {
  const [rows, setRows] = useState(() =>
    [...declared, ...(name || declared.length === 0 ? [{ name: name ?? '' }] : [])].map(rowOf),
  );
  const sent = rows.filter((row) => !isBlank(row));
  const variables = sent.map(({ name, description, example }) => ({
    name: name.trim(),
    description: description || null,
    example: example || null,
  }));
  const [ifMatch] = useState(etag);
  const save = useMutation({
    mutationFn: () =>
      call('PUT', '/agents/{id}/variables', { params: { id: agent }, body: { variables }, ifMatch }),
    onSuccess: () => {
      void invalidate('/agents');
      toast.good(t('Variables saved.'));
      onClose();
    },
  });
  const problems = fieldErrors(save.error);
  const [before] = useState(() =>
    declared.map(({ name, description, example }) => ({ name, description, example })),
  );
  const set = (id: number, change: Partial<Row>) =>
    setRows((now) => now.map((row) => (row.id === id ? { ...row, ...change } : row)));
  const add = () => setRows((now) => [...now, rowOf({}, Math.max(-1, ...now.map(({ id }) => id)) + 1)]);
  const input = (row: Row, member: 'name' | 'description' | 'example', label: string, hint: string) => (
    <Input
      label={label}
      placeholder={hint}
      className={member === 'name' ? '[&_input]:font-mono' : ''}
      autoComplete="off"
      autoFocus={member === 'name' && row === rows.at(-1)}
      maxLength={maxLengths[member]}
      value={row[member]}
      error={problems[`variables[${sent.indexOf(row)}].${member}`]}
      onChange={({ target }) => set(row.id, { [member]: target.value })}
    />
  );
  return (
    <FormDialog
      title={title}
      description={t(
        'Names that contacts do not have: a campaign gives them a value for each enrolled contact, or your runtime for each conversation.',
      )}
      width="large"
      dirty={JSON.stringify(variables) !== JSON.stringify(before)}
      onSubmit={() => save.mutate()}
      onClose={onClose}
      action={t('Save')}
      busy={save.isPending}
      error={save.error}
    >
      <ul aria-label={title} className="flex flex-col gap-4">
        {rows.map((row) => (
          <li
            key={row.id}
            className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-2 gap-y-3 max-sm:border-b max-sm:border-line max-sm:pb-4 sm:grid-cols-[minmax(0,3fr)_minmax(0,4fr)_minmax(0,3fr)_auto]"
          >
            {input(row, 'name', t('Name'), 'appointment_time')}
            <IconButton
              label={t('Remove {name}', { name: row.name })}
              icon={<Trash2 aria-hidden />}
              className="mt-6.5 sm:order-last"
              onClick={() => setRows((now) => now.filter(({ id }) => id !== row.id))}
            />
            <div className="max-sm:col-span-2">{input(row, 'description', t('Description'), '')}</div>
            <div className="max-sm:col-span-2">{input(row, 'example', t('Example'), '')}</div>
          </li>
        ))}
      </ul>
      <div>
        <Button size="small" onClick={add}>
          <Plus aria-hidden />
          {t('Add variable')}
        </Button>
      </div>
    </FormDialog>
  );
};

export default AgentVariables;
