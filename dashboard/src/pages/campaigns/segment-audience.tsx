import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import type { Campaign, Segment } from '../../api/types.gen.ts';
import { t } from '../../lib/i18n.ts';
import { FilterSentence } from '../../records/contacts/filter/lazy.tsx';
import { MatchCount } from '../../records/contacts/filter/match-count.tsx';
import { filterOf, refreshSegments, segmentsQuery } from '../../records/contacts/segments.tsx';
import { Select } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';

export type Audience = Campaign['audience'];
type Mode = NonNullable<Audience>['mode'];

export const modeLabels: Readonly<Record<Mode, string>> = { snapshot: t('Once'), live: t('Live audience') };
const modeTexts: Readonly<Record<Mode, string>> = {
  snapshot: t('Enrolls everyone who matches now. Later changes of contacts do not matter.'),
  live: t(
    'Enrolls everyone who matches now, and others as soon as they match. Those who no longer match when it is their turn are skipped.',
  ),
};

/** A campaign's audience must be visible to everyone who sees the campaign. */
export const shareSegment = async (audience: Audience, segments: readonly Segment[]): Promise<void> => {
  const segment = segments.find(({ id }) => id === audience?.segment_id);
  if (!segment || segment.shared) return;
  await call('PATCH', '/segments/{id}', { params: { id: segment.id }, body: { shared: true } });
  void refreshSegments();
};

/** Chooses the segment whose contacts a campaign enrolls, and whether it follows changes. */
export const AudienceFields = ({
  value,
  onChange,
  error,
}: {
  readonly value: Audience;
  readonly onChange: (audience: Audience) => void;
  readonly error?: string | undefined;
}) => {
  const segments = useQuery(segmentsQuery);
  if (segments.isError) return <ErrorState error={segments.error} onRetry={() => void segments.refetch()} />;
  if (!segments.data) return <Skeleton className="h-16 w-full" />;
  const all = segments.data.data;
  if (all.length === 0 && !value)
    return (
      <Notice
        action={
          <Link to="/segments" search={{ add: true }} className="font-medium underline">
            {t('Create segment')}
          </Link>
        }
      >
        {t('A segment can enroll its contacts automatically. There are none yet.')}
      </Notice>
    );
  const chosen = all.find(({ id }) => id === value?.segment_id);
  return (
    <>
      <Select
        label={t('Audience')}
        hint={value ? undefined : t('Everyone in the segment is enrolled automatically.')}
        placeholder={t('No segment: enroll contacts yourself')}
        options={all.map(({ id, name, shared }) => ({
          value: id,
          label: shared ? name : t('{name} (private)', { name }),
        }))}
        value={value?.segment_id ?? ''}
        error={error}
        onChange={({ target }) =>
          onChange(target.value ? { segment_id: target.value, mode: value?.mode ?? 'snapshot' } : null)
        }
      />
      {value && chosen && (
        <>
          <div className="rounded-lg bg-sunken px-3.5 py-2.5 text-sm">
            <FilterSentence tree={filterOf(chosen)} />
            <MatchCount tree={filterOf(chosen)} />
          </div>
          <div className="flex flex-col gap-2">
            <Segmented
              label={t('When contacts are enrolled')}
              options={modeLabels}
              value={value.mode}
              onChange={(mode) => onChange({ ...value, mode })}
            />
            <p aria-live="polite" className="text-[0.8125rem] text-muted">
              {modeTexts[value.mode]}
            </p>
          </div>
          {!chosen.shared && (
            <Notice>{t('This segment is private. Saving shares it with the workspace.')}</Notice>
          )}
        </>
      )}
    </>
  );
};
