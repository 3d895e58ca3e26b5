import { useMutation, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { errorMessage } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { loadChunk } from '../../../api/load-chunk.ts';
import { invalidate } from '../../../api/query.ts';
import { FormDialog } from '../../../app/form-dialog.tsx';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm.tsx';
import { DialogClose } from '../../../ui/dialog.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toast.tsx';
import { bodyWith, configSchemaQuery } from '../version-query.ts';
import { formatted } from './format.ts';
import { metaSchema, NEW_SCHEMA } from './meta-schema.ts';
import { reportedProblems } from './reported.ts';
import { configState } from './size.tsx';

const JsonEditor = lazy(() => loadChunk(() => import('./json-editor.tsx')));
const waiting = <Skeleton className="h-72 w-full" />;

/** Edits the JSON Schema that the configuration of new versions must match. */
const ConfigSchemaDialog = ({
  agent,
  onClose,
}: {
  /** The id of the agent. */
  readonly agent: string;
  readonly onClose: () => void;
}) => {
  const query = useQuery({ ...configSchemaQuery(agent), staleTime: 0 });
  // Later responses must not replace what is typed.
  if (query.data && query.isFetchedAfterMount)
    return <SchemaForm agent={agent} saved={query.data.source} etag={query.data.etag} onClose={onClose} />;
  return (
    <FormDialog
      title={t('Schema of the configuration')}
      width="large"
      dirty={false}
      onClose={onClose}
      footer={<DialogClose>{t('Close')}</DialogClose>}
    >
      {query.isError ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : waiting}
    </FormDialog>
  );
};

const SchemaForm = ({
  agent,
  saved,
  etag,
  onClose,
}: {
  readonly agent: string;
  /** Undefined if there is none. */
  readonly saved: string | undefined;
  readonly etag: string | null;
  readonly onClose: () => void;
}) => {
  const [start] = useState({ text: saved ?? NEW_SCHEMA, etag });
  const [typed, setTyped] = useState(start.text);
  const [isDeleting, setDeleting] = useState(false);
  const params = { id: agent };
  const done = (message: string) => {
    void invalidate('/agents');
    toast.good(message);
    onClose();
  };
  const save = useMutation({
    mutationFn: () =>
      call('PUT', '/agents/{id}/config-schema', {
        params,
        // The types want a body; the text is sent instead, as it was typed.
        body: { schema: {} },
        file: bodyWith('schema', typed.trim()),
        ifMatch: start.etag,
      }),
    onSuccess: () => done(t('Schema saved. It applies to new versions.')),
  });
  const reported = useMemo(() => reportedProblems(save.error, 'schema'), [save.error]);
  const { isValid } = configState(typed);
  return (
    <FormDialog
      title={t('Schema of the configuration')}
      description={t(
        'A JSON Schema (draft 2020-12). New versions must match it; existing ones stay as they are.',
      )}
      width="large"
      dirty={typed !== start.text}
      onSubmit={() => isValid && save.mutate()}
      onClose={onClose}
      busy={save.isPending}
      footer={
        <>
          {saved !== undefined && (
            <Button variant="danger" className="mr-auto" onClick={() => setDeleting(true)}>
              {t('Remove schema')}
            </Button>
          )}
          <DialogClose>{t('Cancel')}</DialogClose>
          <Button type="submit" variant="primary" busy={save.isPending} disabled={!isValid}>
            {t('Save')}
          </Button>
        </>
      }
    >
      <div className="overflow-clip rounded-lg border border-control has-[.cm-focused]:outline-2 has-[.cm-focused]:outline-accent">
        <Suspense fallback={waiting}>
          <JsonEditor
            label={t('Schema')}
            value={typed}
            onChange={(next) => {
              setTyped(next);
              if (save.isError) save.reset();
            }}
            schema={metaSchema}
            isChecked={false}
            reported={reported}
          />
        </Suspense>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-[0.8125rem] text-muted">
          {t('Descriptions, enumerations and examples in it help everyone who edits the configuration.')}
        </p>
        <Button size="small" disabled={!isValid} onClick={() => setTyped(formatted(typed))}>
          {t('Format')}
        </Button>
      </div>
      {save.isError && (
        <Notice tone="danger">
          {reported.length > 0 ? t('The schema is not valid. Nothing was saved.') : errorMessage(save.error)}
        </Notice>
      )}
      <ConfirmDialog
        open={isDeleting}
        onOpenChange={setDeleting}
        title={t('Remove the schema?')}
        action={t('Remove schema')}
        danger
        consequences={[
          t('New versions can then have any configuration.'),
          t('The configurations of versions stay as they are.'),
        ]}
        onConfirm={async () => {
          await call('DELETE', '/agents/{id}/config-schema', { params, ifMatch: start.etag });
          done(t('Schema removed.'));
        }}
      />
    </FormDialog>
  );
};

export default ConfigSchemaDialog;
