import { Link } from '@tanstack/react-router';
import type { RenderedPart } from '../../../api/placeholders.gen.ts';
import type { Contact } from '../../../api/types.gen.ts';
import { contactName } from '../../../lib/format.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { rich } from '../../../ui/rich.tsx';
import type { Gap } from './gaps.ts';

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

/** The text as a runtime gets it, with what was inserted. */
export const Rendered = ({
  parts,
  gaps,
  contact,
}: {
  readonly parts: readonly RenderedPart[];
  readonly gaps: readonly Gap[];
  readonly contact: Contact;
}) => {
  const countOf = (kind: Gap['kind']) => gaps.filter((gap) => gap.kind === kind).length;
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
        aria-label={t('Rendered text')}
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
      {gaps.length > 0 && <Gaps gaps={gaps} />}
    </div>
  );
};

const getsText = ({ kind, gets }: Gap): string => {
  if (kind === 'missing') return t('an empty text');
  return kind === 'fallback' ? t('the fallback “{text}”', { text: gets }) : t('the placeholder as it is');
};

const Gaps = ({ gaps }: { readonly gaps: readonly Gap[] }) => (
  <section aria-label={t('Without a value')} className="mt-2">
    <h3 className="mb-1 font-medium">{t('Without a value')}</h3>
    <ul className="max-h-48 divide-y divide-line overflow-y-auto">
      {gaps.map((gap) => (
        <li key={gap.written} className="flex flex-wrap items-baseline gap-x-2 py-1.5 wrap-anywhere">
          <code className="font-mono text-[0.8125rem]">{gap.written}</code>
          <span className="text-muted">
            {plural(gap.lines.length, 'line {lines}', 'lines {lines}', { lines: gap.lines.join(', ') })}
          </span>
          <span>{t('The runtime gets {what}.', { what: getsText(gap) })}</span>
        </li>
      ))}
    </ul>
  </section>
);
