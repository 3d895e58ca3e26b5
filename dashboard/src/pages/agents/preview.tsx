import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { parseTemplate, partsOf, type RenderedPart, variablesIn } from '../../api/placeholders.gen.ts';
import { apiQuery } from '../../api/query.ts';
import type { Contact } from '../../api/types.gen.ts';
import { ContactPicker } from '../../app/contact-picker.tsx';
import { contactName } from '../../lib/format.ts';
import { plural, t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Input } from '../../ui/field.tsx';
import { rich } from '../../ui/rich.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { useVariables, type Variables } from './variables.ts';
import { PREVIEW_NEWEST } from './version/url-params.ts';

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

interface Source {
  /** The id of the agent. */
  readonly agent: string;
  /** The id of the version that the text is of, or is based on. */
  readonly version: string;
  readonly text: string;
  /** Whether the text differs from the version's. */
  readonly isEdited?: boolean;
}

/** A text as a runtime gets it for a contact. */
const Preview = ({
  label,
  contact: chosen,
  onContact,
  onClose,
  ...source
}: Source & {
  readonly label: string;
  readonly contact: string;
  readonly onContact: (id: string) => void;
  readonly onClose: () => void;
}) => {
  const { query, contact } = useContact(chosen);
  const variables = useVariables(source.agent);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="large"
      title={t('Preview of {label}', { label })}
      description={t('The instructions as your runtime gets them for a contact.')}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t('Done')}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <div className="sm:max-w-sm">
          <ContactPicker
            label={t('Contact')}
            placeholder={t('Search by name or number')}
            onChoose={onContact}
          />
        </div>
        {query.isError ? (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        ) : query.isPending || !variables ? (
          <Skeleton className="h-60 w-full" />
        ) : contact ? (
          <Filled source={source} contact={contact} variables={variables} />
        ) : (
          <p className="text-sm text-muted">{t('There are no contacts yet. Add one to see a preview.')}</p>
        )}
      </div>
    </Dialog>
  );
};

export default Preview;

const useRendering = ({ agent: id, version, text, isEdited }: Source, contact: string, values: object) => {
  const body = { contact_id: contact, variables: { ...values }, ...(isEdited && { instructions: text }) };
  const params = { id, version };
  return useQuery({
    queryKey: ['/agents/{id}/versions/{version}/render', params, body],
    queryFn: ({ signal }) => call('POST', '/agents/{id}/versions/{version}/render', { params, body, signal }),
    placeholderData: keepPreviousData,
  });
};

/** The rendered text. Declared variables have their examples until something else is typed. */
const Filled = ({
  source,
  contact,
  variables,
}: {
  readonly source: Source;
  readonly contact: Contact;
  readonly variables: Variables;
}) => {
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const used = variablesIn(source.text, variables.names);
  const declared = variables.declared.filter(({ name }) => used.includes(name));
  const values = Object.fromEntries(
    declared.map(({ name, example }) => [name, typed[name] ?? example ?? '']),
  );
  const rendering = useRendering(source, contact.id, values);
  return (
    <>
      {declared.length > 0 && (
        <fieldset className="grid gap-3 sm:grid-cols-2">
          <legend className="mb-1.5 text-sm text-muted">{t('Values of a campaign or your runtime')}</legend>
          {declared.map(({ name, description }) => (
            <Input
              key={name}
              label={<code className="font-mono text-[0.8125rem]">{name}</code>}
              hint={description}
              autoComplete="off"
              value={values[name]}
              onChange={({ target }) => setTyped((now) => ({ ...now, [name]: target.value }))}
            />
          ))}
        </fieldset>
      )}
      {rendering.isError ? (
        <ErrorState error={rendering.error} onRetry={() => void rendering.refetch()} />
      ) : rendering.data ? (
        <Rendered
          parts={partsOf(
            parseTemplate(source.text),
            (name) =>
              Object.hasOwn(rendering.data.data.used, name) ? (rendering.data.data.used[name] ?? '') : '',
            variables.names,
          )}
          contact={contact}
        />
      ) : (
        <Skeleton className="h-60 w-full" />
      )}
    </>
  );
};

const marks: Partial<Record<RenderedPart['kind'], string>> = {
  value: 'rounded bg-info-soft px-0.5 text-info-ink',
  fallback: 'rounded bg-sunken px-0.5 underline decoration-muted decoration-dotted underline-offset-4',
  missing: 'rounded bg-warn-soft px-0.5 text-warn-ink',
  unknown: 'rounded bg-warn-soft px-0.5 text-warn-ink underline decoration-danger decoration-wavy',
};

const titleOf = (part: RenderedPart): string | undefined => {
  if (part.kind === 'value') return `{{${part.variable}}}`;
  if (part.kind === 'fallback')
    return t('The fallback, because {name} has no value', { name: part.variable });
  if (part.kind === 'missing') return t('This contact has no value');
  return part.kind === 'unknown' ? t('Unknown variable.') : undefined;
};

const Rendered = ({
  parts,
  contact,
}: {
  readonly parts: readonly RenderedPart[];
  readonly contact: Contact;
}) => {
  const countOf = (kind: RenderedPart['kind']) =>
    new Set(parts.filter((part) => part.kind === kind).map((part) => part.text)).size;
  const [missing, unknown] = [countOf('missing'), countOf('unknown')];
  return (
    <div className="flex flex-col gap-2 text-sm">
      <p aria-live="polite" className="text-muted wrap-anywhere">
        {rich('With the values of {contact}.', {
          contact: (
            <Link to="/contacts/$id" params={{ id: contact.id }} className="font-medium text-ink underline">
              <bdi>{contactName(contact)}</bdi>
            </Link>
          ),
        })}{' '}
        {missing > 0 && (
          <span className="text-warn-ink">
            {plural(
              missing,
              '# value missing: a campaign does not call this contact until it has one.',
              '# values missing: a campaign does not call this contact until it has them.',
            )}{' '}
          </span>
        )}
        {unknown > 0 && (
          <span className="text-warn-ink">
            {plural(unknown, '# unknown variable.', '# unknown variables.')}
          </span>
        )}
      </p>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
        tabIndex={0}
        aria-label={t('Preview')}
        dir="auto"
        className="max-h-[50vh] overflow-y-auto rounded-lg border border-line px-3.5 py-3 leading-relaxed wrap-anywhere whitespace-pre-wrap"
      >
        {parts.map((part, index) =>
          part.kind === 'text' ? (
            part.text
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity
            <span key={index} className={marks[part.kind]} title={titleOf(part)} data-part={part.kind}>
              <bdi>{part.text}</bdi>
              {part.kind === 'missing' && <span className="sr-only"> ({t('no value')})</span>}
            </span>
          ),
        )}
      </section>
    </div>
  );
};
