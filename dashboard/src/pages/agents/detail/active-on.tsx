import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import { errorMessage } from '../../../api/api-error.ts';
import { apiQuery } from '../../../api/query.ts';
import { exactTime } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { zoneText } from '../../../lib/time-zones.ts';
import { VersionLink } from '../../../records/agents/version-link.tsx';
import { IconButton } from '../../../ui/button.tsx';
import { Input } from '../../../ui/field.tsx';
import { rich } from '../../../ui/rich.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import { deployerLabel } from '../labels.tsx';

const MINUTE_MS = 60_000;

/** The value of a `datetime-local` field, in the time zone of the browser. */
const localValue = (iso: string): string => {
  const date = new Date(iso);
  return new Date(date.getTime() - date.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);
};

const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Asks for a date and time, and says which version was live then and who deployed it. */
export const ActiveOn = ({
  agent,
  at,
  onChange,
}: {
  readonly agent: string;
  readonly at: string | undefined;
  readonly onChange: (at: string | undefined) => void;
}) => {
  const [typed, setTyped] = useState(at ? localValue(at) : '');
  const change = (value: string) => {
    setTyped(value);
    const date = new Date(value);
    onChange(Number.isNaN(date.getTime()) ? undefined : date.toISOString());
  };
  return (
    <div className="mb-5 rounded-lg bg-sunken p-3 text-sm">
      <div className="flex items-end gap-2">
        <Input
          label={t('Active on')}
          type="datetime-local"
          className="min-w-0 flex-1 sm:max-w-64"
          hint={t('Your time zone: {zone}', { zone: zoneText(zone) })}
          value={typed}
          onChange={({ target }) => change(target.value)}
        />
        {typed !== '' && (
          <span className="mb-7">
            <IconButton
              label={t('Clear the time')}
              size="small"
              icon={<X aria-hidden />}
              onClick={() => change('')}
            />
          </span>
        )}
      </div>
      <div aria-live="polite">{at && <Answer agent={agent} at={at} />}</div>
    </div>
  );
};

const Answer = ({ agent, at }: { readonly agent: string; readonly at: string }) => {
  const query = useQuery(apiQuery('/agents/{id}/active', { params: { id: agent }, query: { at } }));
  if (query.isError) return <p className="mt-2 text-danger-ink">{errorMessage(query.error)}</p>;
  if (!query.data) return <Skeleton className="mt-2 h-5 w-2/3" />;
  const active = query.data.data;
  if (!active) return <p className="mt-2">{t('No version was live at that time.')}</p>;
  return (
    <div className="mt-2">
      <p className="font-medium">
        {rich('{version} was live.', {
          version: <VersionLink agent={agent} label={active.version_label} at={at} />,
        })}
      </p>
      <p className="text-muted wrap-anywhere">
        {t('Deployed {time} by {user}', {
          time: exactTime(active.deployed_at),
          user: deployerLabel(active),
        })}
      </p>
      {active.note && (
        <p dir="auto" className="wrap-anywhere">
          {t('“{text}”', { text: active.note })}
        </p>
      )}
    </div>
  );
};
