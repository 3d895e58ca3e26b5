import { ExternalLink } from 'lucide-react';
import type { Call } from '../../../api/types.gen.ts';
import { NamedValue } from '../../../app/named-value.tsx';
import { locale, t } from '../../../lib/i18n.ts';
import { DispositionBadge, Goals } from '../../../records/calls/results.tsx';

const endedBy: Readonly<Record<NonNullable<Call['ended_by']>, string>> = {
  agent: t('The agent'),
  caller: t('The caller'),
  system: t('The system'),
};

/** An amount in its currency, with as many decimals as small costs need. */
const costText = ({ amount, currency }: NonNullable<Call['cost']>): string =>
  new Intl.NumberFormat(locale, { style: 'currency', currency, maximumFractionDigits: 4 }).format(amount);

const isWebAddress = (url: string): boolean => /^https?:\/\//i.test(url) && URL.canParse(url);

const valueText = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : typeof value === 'boolean'
      ? value
        ? t('Yes')
        : t('No')
      : value === null
        ? '–'
        : Array.isArray(value) && value.every((each) => typeof each !== 'object')
          ? value.map(valueText).join(', ')
          : JSON.stringify(value, null, 2);

const TextBlock = ({ title, text }: { readonly title: string; readonly text: string }) => (
  <section aria-label={title} className="space-y-1 border-b border-line pb-3 text-sm">
    <h3 className="text-muted">{title}</h3>
    <p dir="auto" className="max-h-60 overflow-y-auto leading-relaxed wrap-anywhere whitespace-pre-wrap">
      {text}
    </p>
  </section>
);

/** The summary of a call, or the text of a message. */
export const CallTexts = ({ call }: { readonly call: Call }) => (
  <>
    {call.text !== null && <TextBlock title={t('Message')} text={call.text} />}
    {call.summary !== null && <TextBlock title={t('Summary')} text={call.summary} />}
  </>
);

/** What a call came to, as far as it was reported. */
export const ResultFields = ({ call }: { readonly call: Call }) => {
  const { disposition, goals, ended_by, cost, recording_url } = call;
  return (
    <>
      {disposition !== null && (
        <NamedValue name={t('Disposition')}>
          <DispositionBadge disposition={disposition} />
        </NamedValue>
      )}
      {Object.keys(goals).length > 0 && (
        <NamedValue name={t('Goals')}>
          <Goals goals={goals} />
        </NamedValue>
      )}
      {ended_by !== null && <NamedValue name={t('Ended by')}>{endedBy[ended_by]}</NamedValue>}
      {cost !== null && (
        <NamedValue name={t('Cost')}>
          <span className="figure">{costText(cost)}</span>
        </NamedValue>
      )}
      {recording_url !== null && (
        <NamedValue name={t('Recording')}>
          {isWebAddress(recording_url) ? (
            <a
              href={recording_url}
              target="_blank"
              rel="noopener noreferrer"
              className="inline-flex items-center gap-1 rounded"
            >
              {t('Open recording')}
              <ExternalLink className="size-3.5" aria-hidden />
              <span className="sr-only">{t('(opens in a new tab)')}</span>
            </a>
          ) : (
            recording_url
          )}
          <span className="block text-[0.8125rem] break-all text-muted">{recording_url}</span>
        </NamedValue>
      )}
    </>
  );
};

/** What the conversation found out, by its names. */
export const CallData = ({ data }: Pick<Call, 'data'>) => {
  const entries = Object.entries(data);
  if (entries.length === 0) return null;
  return (
    <section aria-label={t('Data')} className="space-y-1 border-t border-line py-3 text-sm">
      <h3 className="text-muted">{t('Data')}</h3>
      <dl className="divide-y divide-line rounded-lg border border-line px-3.5">
        {entries.map(([name, value]) => (
          <div key={name} className="flex flex-wrap gap-x-4 py-1.5">
            <dt className="w-32 shrink-0 font-mono text-[0.8125rem] wrap-anywhere text-muted">{name}</dt>
            <dd dir="auto" className="min-w-40 flex-1 wrap-anywhere whitespace-pre-wrap">
              {valueText(value)}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
};
