import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { apiQuery } from '../../../api/query.ts';
import { durationText } from '../../../lib/format.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { contactLabel } from '../../../records/calls/labels.ts';
import type { CallsSearch } from '../../../records/calls/url-params.ts';
import { NameOrPhone } from '../../../ui/phone.tsx';

const MAX_SHOWN = 5;
const HOUR_MS = 3_600_000;
const TICK_MS = 1_000;

/** Older calls have ended, although no one has reported it. */
const MAX_HOURS = 6;

const Elapsed = ({ since }: { readonly since: string }) => {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.floor((now - Date.parse(since)) / 1_000));
  return <span className="figure text-muted">{durationText(seconds)}</span>;
};

/** The calls that are in progress, the latest first. They follow the stream of changes. */
export const InProgress = () => {
  const [started_since] = useState(() =>
    new Date(Math.floor(Date.now() / HOUR_MS - MAX_HOURS) * HOUR_MS).toISOString(),
  );
  const query = { status: 'in_progress', type: 'call', sort: '-started_at', limit: MAX_SHOWN } as const;
  const list = useQuery(apiQuery('/calls', { query: { ...query, started_since } })).data;
  const total = list?.pagination.total ?? 0;
  if (!list || total === 0) return null;
  return (
    <section
      aria-label={t('Calls in progress')}
      className="card mb-5 flex flex-wrap items-center gap-x-5 gap-y-2 px-4 py-3 text-sm"
    >
      <h2 className="inline-flex items-center gap-2 font-medium" aria-live="polite">
        <span aria-hidden className="relative flex size-2.5">
          <span className="absolute inline-flex size-full rounded-full bg-accent opacity-60 motion-safe:animate-ping" />
          <span className="relative inline-flex size-2.5 rounded-full bg-accent" />
        </span>
        {plural(total, '# call in progress', '# calls in progress')}
      </h2>
      <ul className="contents">
        {list.data.map((call) => (
          <li key={call.id} className="min-w-0">
            <Link
              to="/calls"
              search={(now: object): CallsSearch => ({ ...now, call: call.id })}
              resetScroll={false}
              className="inline-flex max-w-full min-h-6 items-center gap-2 rounded hover:underline"
            >
              <span dir="auto" className="truncate">
                <NameOrPhone text={contactLabel(call)} />
              </span>
              <Elapsed since={call.started_at} />
            </Link>
          </li>
        ))}
      </ul>
      {total > MAX_SHOWN && (
        <Link
          to="/calls"
          search={{ status: 'in_progress', type: 'call' }}
          className="rounded underline underline-offset-4"
        >
          {t('Show all')}
        </Link>
      )}
    </section>
  );
};
