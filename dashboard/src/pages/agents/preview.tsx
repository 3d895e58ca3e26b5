import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type RenderedPart, renderParts } from '../../api/placeholders.gen.ts';
import { apiQuery } from '../../api/query.ts';
import type { Contact } from '../../api/types.gen.ts';
import { ContactPicker } from '../../app/contact-picker.tsx';
import { contactName } from '../../lib/format.ts';
import { plural, t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { rich } from '../../ui/rich.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
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

/** A text with the values of a contact filled in. */
const Preview = ({
  label,
  text,
  contact: chosen,
  onContact,
  onClose,
}: {
  readonly label: string;
  readonly text: string;
  readonly contact: string;
  readonly onContact: (id: string) => void;
  readonly onClose: () => void;
}) => {
  const { query, contact } = useContact(chosen);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="large"
      title={t('Preview of {label}', { label })}
      description={t('The instructions with the values of a contact, as your runtime should fill them in.')}
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
        ) : query.isPending ? (
          <Skeleton className="h-60 w-full" />
        ) : contact ? (
          <Rendered text={text} contact={contact} />
        ) : (
          <p className="text-sm text-muted">{t('There are no contacts yet. Add one to see a preview.')}</p>
        )}
      </div>
    </Dialog>
  );
};

export default Preview;

const marks: Partial<Record<RenderedPart['kind'], string>> = {
  value: 'rounded bg-info-soft px-0.5 text-info-ink',
  missing: 'rounded bg-warn-soft px-0.5 text-warn-ink',
  unknown: 'rounded bg-warn-soft px-0.5 text-warn-ink underline decoration-danger decoration-wavy',
};

const titleOf = (part: RenderedPart): string | undefined => {
  if (part.kind === 'missing') return t('This contact has no value');
  return part.kind === 'unknown' ? t('Not a contact field.') : undefined;
};

const Rendered = ({ text, contact }: { readonly text: string; readonly contact: Contact }) => {
  const parts = renderParts(text, { ...contact });
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
          <span className="text-warn-ink">{plural(missing, '# value missing.', '# values missing.')} </span>
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
