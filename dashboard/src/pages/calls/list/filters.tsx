import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { apiQuery } from '../../../api/query.ts';
import { Button } from '../../../ui/button.tsx';
import { cx } from '../../../ui/cx.ts';
import { Select } from '../../../ui/field.tsx';
import { kindLabels } from '../../channels/labels.tsx';
import { ContactFilter } from './contact-filter.tsx';
import type { CallsSearch } from './url-params.ts';

export type Narrow = (change: Partial<CallsSearch>) => void;
export const anyCall = { contact: undefined, agent: undefined, channel: undefined, direction: undefined };
export const isNarrowed = ({ contact, agent, channel, direction }: CallsSearch): boolean =>
  Boolean(contact || agent || channel || direction);

interface Option {
  readonly value: string;
  readonly label: string;
}

/** The value in the URL is always an option, even if the record was deleted. */
const withChosen = (options: readonly Option[] | undefined, chosen: string | undefined, label: string) => {
  const known = options ?? [];
  if (!chosen || known.some(({ value }) => value === chosen)) return known;
  return [...known, { value: chosen, label: options ? label : '…' }];
};

const MOST = 100;

export const Filters = ({
  search,
  onChange,
}: {
  readonly search: CallsSearch;
  readonly onChange: Narrow;
}) => {
  const agents = useQuery(apiQuery('/agents', { query: { limit: MOST } }));
  const channels = useQuery(apiQuery('/channels', { query: { limit: MOST } }));
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
        withChosen(
          agents.data?.data.map(({ id, name }) => ({ value: id, label: name })),
          search.agent,
          'Unknown agent',
        ),
      )}
      {choice(
        'channel',
        'Any channel',
        withChosen(
          channels.data?.data.map(({ id, name, kind }) => ({
            value: id,
            label: `${name} (${kindLabels[kind]})`,
          })),
          search.channel,
          'Unknown channel',
        ),
      )}
      {choice('direction', 'Any direction', [
        { value: 'inbound', label: 'Inbound' },
        { value: 'outbound', label: 'Outbound' },
      ])}
      {isNarrowed(search) && (
        <Button look="quiet" onClick={() => onChange(anyCall)}>
          <X aria-hidden />
          Clear filters
        </Button>
      )}
    </search>
  );
};
