import type { CallSettings } from '../../../api/types.gen.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { Section } from '../../../ui/page.tsx';
import { modes, useRuleTargets } from './rules.tsx';

/** The settings for calls, for members. */
export const ReadOnlySettings = ({ settings }: { readonly settings: CallSettings }) => {
  const { dispositions, field_rules: rules, transcript_days: days } = settings;
  const targets = useRuleTargets();
  const labelOf = (key: string) => targets.find(({ value }) => value === key)?.label ?? key;
  return (
    <>
      <p className="mb-4 text-sm text-muted">{t('Only owners can change this.')}</p>
      <Section title={t('Dispositions')}>
        {dispositions.length === 0 ? (
          <p className="text-sm text-muted">{t('None')}</p>
        ) : (
          <ul className="flex flex-col gap-1 text-sm">
            {dispositions.map(({ key, label }) => (
              <li key={key} className="wrap-anywhere">
                <bdi>{label}</bdi> <code className="font-mono text-xs text-muted">{key}</code>
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Section title={t('Rules for fields')}>
        {rules.length === 0 ? (
          <p className="text-sm text-muted">{t('None')}</p>
        ) : (
          <ul className="flex flex-col gap-1 text-sm">
            {rules.map(({ data, field, mode }) => (
              <li key={`${data} ${field}`} className="wrap-anywhere">
                <code className="font-mono text-[0.8125rem]">{data}</code> → <bdi>{labelOf(field)}</bdi>{' '}
                <span className="text-muted">({modes[mode]})</span>
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Section title={t('Transcripts')}>
        <p className="text-sm">
          {days === null
            ? t('Transcripts are not stored.')
            : plural(days, 'Transcripts are kept for # day.', 'Transcripts are kept for # days.')}
        </p>
      </Section>
    </>
  );
};
