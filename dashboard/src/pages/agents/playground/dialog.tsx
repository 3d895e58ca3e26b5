import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { call } from '../../../api/client.ts';
import { loadChunk } from '../../../api/load-chunk.ts';
import { parseTemplate, partsOf, variablesIn } from '../../../api/placeholders.gen.ts';
import { apiQuery } from '../../../api/query.ts';
import type { Agent, Contact } from '../../../api/types.gen.ts';
import { ContactPicker } from '../../../app/contact-picker.tsx';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Select } from '../../../ui/field.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { versionWithStatus } from '../labels.tsx';
import { useVariables, type Variables } from '../variables.ts';
import { PREVIEW_NEWEST } from '../version/url-params.ts';
import { type Content, versionQuery } from '../version-query.ts';
import { Chat, type TriedInput } from './chat.tsx';
import { gapsOf } from './gaps.ts';
import { Rendered } from './rendered.tsx';
import { useValues, Values } from './values.tsx';

const JsonText = lazy(async () => ({
  default: (await loadChunk(() => import('../readers.ts'))).JsonText,
}));
const waiting = <Skeleton className="h-60 w-full" />;

/** The chosen contact, or the newest one. */
const useContact = (chosen: string) => {
  const isNewest = chosen === PREVIEW_NEWEST;
  const newest = useQuery({ ...apiQuery('/contacts', { query: { limit: 1 } }), enabled: isNewest });
  const one = useQuery({
    ...apiQuery('/contacts/{id}', { params: { id: chosen } }),
    enabled: !isNewest,
  });
  const query = isNewest ? newest : one;
  const contact: Contact | undefined = isNewest ? newest.data?.data[0] : one.data?.data;
  return { query, contact };
};

const EDITED = 'edited';

/** What a runtime gets for a contact, and a chat with it: of a version, or of what the editor contains. */
const Playground = ({
  agent,
  version: first,
  edited,
  contact: chosen,
  onContact,
  onClose,
}: {
  readonly agent: Agent;
  /** The id of the version that is shown first, or that the edited content is based on. */
  readonly version: string;
  /** The content of the editor, if it is not saved. */
  readonly edited?: Content | undefined;
  readonly contact: string;
  readonly onContact: (id: string) => void;
  readonly onClose: () => void;
}) => {
  const [choice, setChoice] = useState(edited ? EDITED : first);
  const { query, contact } = useContact(chosen);
  const variables = useVariables(agent.id);
  const version = choice === EDITED ? first : choice;
  const stored = useQuery(versionQuery(agent.id, version));
  const content = choice === EDITED ? edited : stored.data?.content;
  const label = agent.versions.find(({ id }) => id === version)?.version_label ?? '';
  const failed = [query, stored].find((each) => each.isError && !each.data);
  const options = agent.versions.map(({ id, version_label, deployment_status }) => ({
    value: id,
    label: versionWithStatus(version_label, deployment_status),
  }));
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="large"
      title={t('Try {label}', { label: choice === EDITED ? t('the edited text') : label })}
      description={t('What your runtime gets for a contact. Nothing is stored.')}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t('Done')}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <div className="grid gap-3 sm:grid-cols-2">
          <ContactPicker
            label={t('Contact')}
            placeholder={t('Search by name or number')}
            onChoose={onContact}
          />
          <Select
            label={t('Version')}
            options={edited ? [{ value: EDITED, label: t('Unsaved changes') }, ...options] : options}
            value={choice}
            onChange={({ target }) => setChoice(target.value)}
          />
        </div>
        {failed ? (
          <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
        ) : query.isPending || !variables || !content ? (
          waiting
        ) : contact ? (
          <Tried
            source={{ agent: agent.id, version, label, content, isEdited: choice === EDITED }}
            contact={contact}
            variables={variables}
          />
        ) : (
          <p className="text-sm text-muted">{t('There are no contacts yet. Add one to see a preview.')}</p>
        )}
      </div>
    </Dialog>
  );
};

export default Playground;

interface Source {
  /** The id of the agent. */
  readonly agent: string;
  readonly version: string;
  readonly label: string;
  readonly content: Content;
  /** Whether the content differs from the version's. */
  readonly isEdited: boolean;
}

const parts = ['text', 'config', 'chat'] as const;

const Tried = ({
  source: { agent, version, label, content, isEdited },
  contact,
  variables,
}: {
  readonly source: Source;
  readonly contact: Contact;
  readonly variables: Variables;
}) => {
  const [part, setPart] = useState<(typeof parts)[number]>('text');
  const used = variablesIn(content.text, variables.names);
  const declared = variables.declared.filter(({ name }) => used.includes(name));
  const values = useValues(contact.id, declared);
  const params = { id: agent, version };
  const body: TriedInput = {
    contact_id: contact.id,
    variables: values.sent,
    ...(isEdited && { instructions: content.text }),
  };
  const rendering = useQuery({
    queryKey: ['/agents/{id}/versions/{version}/render', params, body],
    queryFn: ({ signal }) => call('POST', '/agents/{id}/versions/{version}/render', { params, body, signal }),
    placeholderData: keepPreviousData,
  });
  const template = parseTemplate(content.text);
  const inserted = rendering.data?.data.used ?? {};
  const rendered = partsOf(
    template,
    (name) => (Object.hasOwn(inserted, name) ? (inserted[name] ?? '') : ''),
    variables.names,
  );
  const contents = {
    text: rendering.isError ? (
      <ErrorState error={rendering.error} onRetry={() => void rendering.refetch()} />
    ) : rendering.data ? (
      <>
        <Rendered parts={rendered} gaps={gapsOf(template, rendered)} contact={contact} />
        <CopyButton text={rendering.data.data.text} size="small" className="mt-3">
          {t('Copy text')}
        </CopyButton>
      </>
    ) : (
      waiting
    ),
    config: part === 'config' && (
      <Suspense fallback={waiting}>
        <JsonText label={t('Configuration of {label}', { label })} text={content.config} />
      </Suspense>
    ),
    chat: <Chat key={`${version} ${isEdited} ${contact.id}`} params={params} body={body} />,
  };
  const labels = { text: t('Instructions'), config: t('Configuration'), chat: t('Chat') };
  return (
    <>
      <Values {...values} declared={declared} />
      <Tabs
        label={t('What your runtime gets')}
        keepsContent
        tabs={parts.map((value) => ({ value, label: labels[value], content: contents[value] }))}
        value={part}
        onChange={setPart}
      />
    </>
  );
};
