import type { Difference } from '../../../lib/differences.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { pathText } from '../../../lib/json-text.ts';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import { OldToNew } from '../../../ui/old-to-new.tsx';

const MAX_SHOWN = 100;

const looks: Readonly<Record<Difference['change'], readonly [string, Tone]>> = {
  added: [t('Added'), 'good'],
  removed: [t('Removed'), 'danger'],
  changed: [t('Changed'), 'warn'],
};

const jsonText = (value: unknown): string => JSON.stringify(value, null, 2);

/** The changes of a configuration by their paths. */
export const ConfigChanges = ({ changes }: { readonly changes: readonly Difference[] }) => (
  <section
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
    tabIndex={0}
    aria-label={t('Changes of the configuration')}
    className="max-h-[50vh] overflow-y-auto rounded-lg border border-line"
  >
    <ul className="divide-y divide-line text-sm">
      {changes.slice(0, MAX_SHOWN).map(({ path, change, before, after }) => {
        const [word, tone] = looks[change];
        return (
          <li key={path} className="flex flex-col gap-1 px-3 py-2">
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <code className="font-mono text-[0.8125rem] font-medium wrap-anywhere">
                {pathText(path) || t('the whole configuration')}
              </code>
              <Badge tone={tone}>{word}</Badge>
            </p>
            <p className="font-mono text-xs/5">
              <OldToNew
                before={change === 'added' ? undefined : jsonText(before)}
                after={change === 'removed' ? undefined : jsonText(after)}
              />
            </p>
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
