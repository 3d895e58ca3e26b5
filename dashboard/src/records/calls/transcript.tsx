import { useQuery } from '@tanstack/react-query';
import { isApiError } from '../../api/api-error.ts';
import { apiQuery } from '../../api/query.ts';
import type { Turn } from '../../api/types.gen.ts';
import { dateText } from '../../lib/format.ts';
import { locale, t } from '../../lib/i18n.ts';
import { cx } from '../../ui/cx.ts';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { callSettingsQuery } from './settings.ts';

const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });

const speakers: Readonly<Record<Turn['speaker'], string>> = {
  agent: t('Agent'),
  caller: t('Caller'),
  system: t('System'),
};

/** What was said, if the workspace stores transcripts and the call has one. */
export const Transcript = ({
  call,
  isTall = false,
}: {
  readonly call: string;
  readonly isTall?: boolean;
}) => {
  const days = useQuery(callSettingsQuery).data?.data.transcript_days;
  const query = useQuery({
    ...apiQuery('/calls/{id}/transcript', { params: { id: call } }),
    enabled: typeof days === 'number',
  });
  if (typeof days !== 'number' || isApiError(query.error, 'NOT_FOUND', 'CONFLICT')) return null;
  const transcript = query.data?.data;
  return (
    <section aria-label={t('Transcript')} className="space-y-2 border-t border-line py-3 text-sm">
      <h3 className="text-muted">{t('Transcript')}</h3>
      {query.isError && !transcript ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : !transcript ? (
        <Skeleton className="h-24 w-full" />
      ) : (
        <>
          <Turns turns={transcript.turns} isTall={isTall} />
          <p className="text-[0.8125rem] text-muted">
            {t('Will be deleted on {day}.', { day: dateText(transcript.expires_at) })}
          </p>
        </>
      )}
    </section>
  );
};

const Turns = ({ turns, isTall }: { readonly turns: readonly Turn[]; readonly isTall: boolean }) => (
  <section
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
    tabIndex={0}
    aria-label={t('Text of the transcript')}
    className={cx(
      'overflow-y-auto rounded-lg border border-line px-3.5 py-3',
      isTall ? 'max-h-[40dvh] lg:max-h-[60dvh]' : 'max-h-112',
    )}
  >
    {turns.length === 0 ? (
      <p className="text-muted">{t('Nothing was said.')}</p>
    ) : (
      <ol className="flex flex-col gap-2.5">
        {turns.map(({ speaker, text, at }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the turns do not change their places
          <li key={index} className={cx('flex flex-col', speaker === 'system' && 'text-muted')}>
            <p className="text-xs text-muted">
              <span className={cx('font-medium', speaker === 'agent' && 'text-accent-ink')}>
                {speakers[speaker]}
              </span>
              {at && <span className="figure"> {clock.format(new Date(at))}</span>}
            </p>
            <p dir="auto" className="leading-relaxed wrap-anywhere whitespace-pre-wrap">
              {text}
            </p>
          </li>
        ))}
      </ol>
    )}
  </section>
);
