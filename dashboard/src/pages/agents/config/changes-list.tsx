import { plural, t } from '../../../lib/i18n.ts';
import { pathText } from '../../../lib/json-text.ts';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import { cx } from '../../../ui/cx.ts';
import type { ConfigChange } from './changes.ts';

const MAX_SHOWN = 100;

const looks: Readonly<Record<ConfigChange['change'], readonly [string, Tone]>> = {
  added: [t('Added'), 'good'],
  removed: [t('Removed'), 'danger'],
  changed: [t('Changed'), 'warn'],
};

const Value = ({ value, isNew }: { readonly value: unknown; readonly isNew: boolean }) => (
  <p
    className={cx(
      'flex gap-2 rounded px-2 py-0.5 font-mono text-xs wrap-anywhere whitespace-pre-wrap',
      isNew ? 'bg-accent-soft text-accent-ink' : 'bg-danger-soft text-danger-ink',
    )}
  >
    <span aria-hidden>{isNew ? '+' : '−'}</span>
    <span className="sr-only">{isNew ? t('now:') : t('before:')}</span>
    <span dir="auto" className="min-w-0 flex-1">
      {JSON.stringify(value, null, 2)}
    </span>
  </p>
);

/** The changes of a configuration by their paths. */
export const ConfigChanges = ({ changes }: { readonly changes: readonly ConfigChange[] }) => (
  <section
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
    tabIndex={0}
    aria-label={t('Changes of the configuration')}
    className="max-h-[50vh] overflow-y-auto rounded-lg border border-line"
  >
    <ul className="divide-y divide-line text-sm">
      {changes.slice(0, MAX_SHOWN).map((each) => {
        const [word, tone] = looks[each.change];
        return (
          <li key={each.path} className="flex flex-col gap-1 px-3 py-2">
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <code className="font-mono text-[0.8125rem] font-medium wrap-anywhere">
                {pathText(each.path) || t('the whole configuration')}
              </code>
              <Badge tone={tone}>{word}</Badge>
            </p>
            {each.change !== 'added' && <Value value={each.before} isNew={false} />}
            {each.change !== 'removed' && <Value value={each.after} isNew />}
          </li>
        );
      })}
    </ul>
    {changes.length > MAX_SHOWN && (
      <p className="border-t border-line px-3 py-2 text-[0.8125rem] text-muted">
        {plural(changes.length - MAX_SHOWN, 'and # more change', 'and # more changes')}
      </p>
    )}
  </section>
);
