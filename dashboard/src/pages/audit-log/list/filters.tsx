import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { apiQuery } from '../../../api/query.ts';
import { Button } from '../../../ui/button.tsx';
import { cx } from '../../../ui/cx.ts';
import { Select } from '../../../ui/field.tsx';
import { actorKinds, kindLabels } from '../labels.ts';
import { type AuditLogSearch, type Kind, kinds } from './url-params.ts';

export type SetFilters = (change: Partial<AuditLogSearch>) => void;
export const noFilters = { kind: undefined, actor: undefined, record: undefined };
export const hasFilters = ({ kind, actor, record }: AuditLogSearch): boolean =>
  Boolean(kind || actor || record);

const unnamedActors = ['environment', 'command line', 'start'] as const;

/** All possible actors. The one in the URL is always included, even if it was removed. */
const useActors = (chosen: string | undefined) => {
  const members = useQuery(apiQuery('/users')).data?.data ?? [];
  const keys = useQuery(apiQuery('/keys')).data?.data ?? [];
  const channels = useQuery(apiQuery('/channels', { query: { limit: 100 } })).data?.data ?? [];
  const integrations = useQuery(apiQuery('/integrations')).data?.data ?? [];
  const known = [
    ...members.map(({ id, email }) => ({ value: id, label: email })),
    ...keys.map(({ id, name }) => ({ value: id, label: `${name} (API key)` })),
    ...channels.map(({ id, name }) => ({ value: id, label: `${name} (channel)` })),
    ...integrations.map(({ id, name }) => ({ value: id, label: `${name} (integration)` })),
    ...unnamedActors.map((kind) => ({ value: kind, label: actorKinds[kind] })),
  ];
  if (!chosen || known.some(({ value }) => value === chosen)) return known;
  return [...known, { value: chosen, label: chosen }];
};

export const Filters = ({
  search,
  onChange,
}: {
  readonly search: AuditLogSearch;
  readonly onChange: SetFilters;
}) => {
  const actors = useActors(search.actor);
  return (
    <search aria-label="Audit log" className="mb-3 flex flex-wrap items-center gap-2">
      <Select
        label="Record type"
        hideLabel
        className={cx('flex-1 basis-40 sm:max-w-64', search.kind && '[&_select]:border-accent')}
        placeholder="All records"
        options={kinds.map((kind) => ({ value: kind, label: kindLabels[kind] }))}
        value={search.kind ?? ''}
        onChange={({ target }) => onChange({ kind: (target.value || undefined) as Kind | undefined })}
      />
      <Select
        label="Actor"
        hideLabel
        className={cx('flex-1 basis-40 sm:max-w-64', search.actor && '[&_select]:border-accent')}
        placeholder="All actors"
        options={actors}
        value={search.actor ?? ''}
        onChange={({ target }) => onChange({ actor: target.value || undefined })}
      />
      {search.record && (
        <Button onClick={() => onChange({ record: undefined })} aria-label="Clear record filter">
          <span className="max-w-48 truncate font-mono text-[0.8125rem]">{search.record}</span>
          <X aria-hidden />
        </Button>
      )}
      {hasFilters(search) && (
        <Button variant="quiet" onClick={() => onChange(noFilters)}>
          <X aria-hidden />
          Clear filters
        </Button>
      )}
    </search>
  );
};
