import { Link } from '@tanstack/react-router';
import type { CallsOfVersion } from '../../../api/types.gen.ts';
import type { Target } from '../../../app/charts/series.ts';
import { durationText, numberText } from '../../../lib/format.ts';
import { locale, t } from '../../../lib/i18n.ts';
import { averageSeconds, rateOf, successShare } from '../../../records/calls/outcomes.ts';
import { Section } from '../../../ui/page.tsx';

const MAX_SHOWN = 8;
const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
const none = '–';

const successOf = (version: CallsOfVersion): string => {
  const rate = rateOf(successShare(version));
  return rate === undefined ? none : percent.format(rate);
};

const averageOf = (version: CallsOfVersion): string => {
  const seconds = averageSeconds(version);
  return seconds === undefined ? none : durationText(seconds);
};

const head = 'px-3 py-2 text-end font-medium whitespace-nowrap';
const cell = 'figure px-3 py-2 text-end';

/** The versions with most calls, as bars in a table. */
export const VersionsCard = ({
  versions,
  targetOf,
}: {
  readonly versions: readonly CallsOfVersion[];
  readonly targetOf: (version: string) => Target;
}) => {
  const shown = versions.slice(0, MAX_SHOWN);
  const most = Math.max(1, ...shown.map(({ calls }) => calls));
  return (
    <Section
      title={t('By version')}
      description={t('Success rate: completed calls, divided by all that ended.')}
    >
      {shown.length === 0 ? (
        <p className="py-6 text-center text-sm text-muted">{t('No agent version handled these calls.')}</p>
      ) : (
        <div className="overflow-x-auto">
          <table className="w-full text-sm">
            <caption className="sr-only">{t('Calls by version')}</caption>
            <thead className="text-xs text-muted">
              <tr>
                <th scope="col" className="py-2 pr-3 text-start font-medium">
                  {t('Version')}
                </th>
                <th scope="col" className={head}>
                  {t('Calls')}
                </th>
                <th scope="col" className={head}>
                  {t('Success rate')}
                </th>
                <th scope="col" className={head}>
                  {t('Average duration')}
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map((version) => (
                <tr key={version.version_id} className="border-t border-line">
                  <th scope="row" className="w-1/2 py-2 pr-3 text-start font-normal">
                    <Link
                      {...targetOf(version.version_id)}
                      className="rounded wrap-anywhere text-accent-ink hover:underline"
                    >
                      <bdi>{version.agent_name}</bdi> {version.version_label}
                    </Link>
                    <div aria-hidden className="mt-1 h-1.5 rounded-full bg-sunken">
                      <div
                        className="h-full rounded-full"
                        style={{ width: `${(version.calls / most) * 100}%`, background: 'var(--chart-1)' }}
                      />
                    </div>
                  </th>
                  <td className={cell}>{numberText(version.calls)}</td>
                  <td className={cell}>{successOf(version)}</td>
                  <td className={cell}>{averageOf(version)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  );
};
