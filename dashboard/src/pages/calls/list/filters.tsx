import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { apiQuery } from '../../../api/query.ts';
import { Button } from '../../../ui/button.tsx';
import { cx } from '../../../ui/cx.ts';
import { Select } from '../../../ui/field.tsx';
import { channelTypeLabels } from '../../channels/labels.tsx';
import { ContactFilter } from './contact-filter.tsx';
import type { CallsSearch } from './url-params.ts';

export type SetFilters = (change: Partial<CallsSearch>) => void;
export const noFilters = { contact: undefined, agent: undefined, channel: undefined, direction: undefined };
export const hasFilters = ({ contact, agent, channel, direction }: CallsSearch): boolean =>
  Boolean(contact || agent || channel || direction);

interface Option {
  readonly value: string;
  readonly label: string;
}

/** The value in the URL is always an option, even if the record was deleted. */
const withSelected = (options: readonly Option[] | undefined, chosen: string | undefined, label: string) => {
  const known = options ?? [];
  if (!chosen || known.some(({ value }) => value === chosen)) return known;
  return [...known, { value: chosen, label: options ? label : '…' }];
};

const MAX = 100;

export const Filters = ({
  search,
  onChange,
}: {
  readonly search: CallsSearch;
  readonly onChange: SetFilters;
}) => {
  const agents = useQuery(apiQuery('/agents', { query: { limit: MAX } }));
  const channels = useQuery(apiQuery('/channels', { query: { limit: MAX } }));
  const choice = (name: 'agent' | 'channel' | 'direction', any: string, options: readonly Option[]) => (
    <Select
      label={name.charAt(0).toUpperCase() + name.slice(1)}
      hideLabel
      className={cx('flex-1 basis-36', search[name] && '[&_select]:border-accent')}
      placeholder={any}
      options={options}
      value={search[name] ?? ''}
      onChange={({ target }) => onChange({ [name]: target.value || undefined })}
    />
  );
  return (
    <search aria-label="Calls" className="mb-3 flex flex-wrap gap-2">
      <ContactFilter value={search.contact} onChange={(contact) => onChange({ contact })} />
      {choice(
        'agent',
        'Any agent',
        withSelected(
          agents.data?.data.map(({ id, name }) => ({ value: id, label: name })),
          search.agent,
          'Unknown agent',
        ),
      )}
      {choice(
        'channel',
        'Any channel',
        withSelected(
          channels.data?.data.map(({ id, name, kind }) => ({
            value: id,
            label: `${name} (${channelTypeLabels[kind]})`,
          })),
          search.channel,
          'Unknown channel',
        ),
      )}
      {choice('direction', 'Any direction', [
        { value: 'inbound', label: 'Inbound' },
        { value: 'outbound', label: 'Outbound' },
      ])}
      {hasFilters(search) && (
        <Button variant="quiet" onClick={() => onChange(noFilters)}>
          <X aria-hidden />
          Clear filters
        </Button>
      )}
    </search>
  );
};
