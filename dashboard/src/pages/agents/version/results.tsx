import type { ReactNode } from 'react';
import { durationText, percentText } from '../../../lib/format.ts';
import { locale, numberText, t } from '../../../lib/i18n.ts';
import {
  averageSeconds,
  difference,
  dispositionKeys,
  dispositionShare,
  goalKeys,
  goalShare,
  rateOf,
  type Share,
  successShare,
} from '../../../records/calls/outcomes.ts';
import { dispositionText, keyText, useDispositions } from '../../../records/calls/settings.ts';
import { DocsLink } from '../../../ui/docs-link.tsx';
import { Notice } from '../../../ui/notice.tsx';
import type { VersionResults } from './use-version-results.ts';

interface Side {
  /** The label of the version. */
  readonly label: string;
  readonly results: VersionResults;
}

const points = new Intl.NumberFormat(locale, { signDisplay: 'exceptZero' });
const none = '–';

export const successText = (results: VersionResults): string => {
  const rate = rateOf(successShare(results));
  return rate === undefined ? none : percentText(rate);
};

export const averageText = (results: VersionResults): string => {
  const seconds = averageSeconds(results);
  return seconds === undefined ? none : durationText(seconds);
};

const colors = ['var(--chart-1)', 'var(--chart-2)'];

const Bar = ({ share, at }: { readonly share: Share; readonly at: number }) => {
  const rate = rateOf(share);
  if (rate === undefined) return none;
  return (
    <>
      <span className="font-medium">{percentText(rate)}</span>{' '}
      <span className="text-xs text-muted">
        {t('{count} of {total}', { count: share.count, total: share.of })}
      </span>
      <span aria-hidden className="mt-1 block h-1.5 rounded-full bg-sunken">
        <span
          className="block h-full rounded-full"
          style={{ width: `${rate * 100}%`, background: colors[at] }}
        />
      </span>
    </>
  );
};

const Row = ({ name, children }: { readonly name: ReactNode; readonly children: ReactNode }) => (
  <tr className="border-t border-line">
    <th scope="row" className="py-2 pr-3 text-start align-top font-normal wrap-anywhere">
      {name}
    </th>
    {children}
  </tr>
);

const cell = 'figure min-w-24 px-1.5 py-2 text-start align-top';

const Group = ({ name, columns }: { readonly name: string; readonly columns: number }) => (
  <tr>
    <th scope="colgroup" colSpan={columns} className="pt-4 pb-1 text-start text-xs font-medium text-muted">
      {name}
    </th>
  </tr>
);

const Shares = ({ name, shares }: { readonly name: string; readonly shares: readonly Share[] }) => {
  const [one, other] = shares;
  const change = one && other && difference(other, one);
  return (
    <Row
      name={
        <>
          {name}
          {change !== undefined && change !== 0 && (
            <span className="block text-xs text-muted">
              {t('{points} points', { points: points.format(change) })}
            </span>
          )}
        </>
      }
    >
      {shares.map((share, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the columns do not change their places
        <td key={at} className={cell}>
          <Bar share={share} at={at} />
        </td>
      ))}
    </Row>
  );
};

/** Goals and dispositions of one version, or of two side by side with the change from the first to the second. */
export const Results = ({ sides }: { readonly sides: readonly Side[] }) => {
  const dispositions = useDispositions();
  const all = sides.map(({ results }) => results);
  const goals = goalKeys(all);
  const ended = dispositionKeys(all, dispositions?.map(({ key }) => key) ?? []);
  const isPair = sides.length > 1;
  const values = (show: (results: VersionResults) => string) =>
    sides.map(({ label, results }) => (
      <td key={label} className={cell}>
        {show(results)}
      </td>
    ));
  return (
    <div className="overflow-x-auto">
      <table className="w-full text-sm">
        <caption className="sr-only">{t('Results')}</caption>
        {isPair && (
          <thead>
            <tr>
              <td className="w-1/3" />
              {sides.map(({ label }, at) => (
                <th key={label} scope="col" className="px-1.5 pb-2 text-start font-semibold">
                  <span
                    aria-hidden
                    className="mr-1.5 inline-block size-2.5 rounded-sm"
                    style={{ background: colors[at] }}
                  />
                  {label}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {isPair && (
            <>
              <Row name={t('Calls')}>{values(({ calls }) => numberText(calls))}</Row>
              <Row name={t('Success rate')}>{values(successText)}</Row>
              <Row name={t('Average duration of all calls that have one')}>{values(averageText)}</Row>
            </>
          )}
          {goals.length > 0 && <Group name={t('Goals reached')} columns={sides.length + 1} />}
          {goals.map((key) => (
            <Shares key={key} name={keyText(key)} shares={all.map((each) => goalShare(each, key))} />
          ))}
          {ended.length > 0 && <Group name={t('Dispositions')} columns={sides.length + 1} />}
          {ended.map((key) => (
            <Shares
              key={key}
              name={dispositionText(dispositions, key)}
              shares={all.map((each) => dispositionShare(each, key))}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
};

/** Says of which calls the figures are, if not of all. */
export const IncompleteNotice = ({ label, results }: Side) =>
  !results.is_complete && (
    <div className="mt-3">
      <Notice tone="info">
        {t('Calls, success rate and duration of {label} are those of its latest {count} calls.', {
          label,
          count: results.calls,
        })}
      </Notice>
    </div>
  );

/** How results get here. */
export const NoResults = () => (
  <div className="text-sm text-muted">
    <p>
      {t(
        'No results yet. Your runtime reports them with the events of a call: a disposition, and which goals it reached.',
      )}
    </p>
    <DocsLink to="hooks" className="mt-1" />
  </div>
);
