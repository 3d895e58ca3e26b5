import { useQuery } from '@tanstack/react-query';
import { allRecordsQuery } from '../../../api/all-records.ts';
import { apiQuery } from '../../../api/query.ts';
import type { Filter } from '../../../app/filters/definition.ts';
import { t } from '../../../lib/i18n.ts';
import { actorKinds, kindLabels } from '../../../records/audit-log/labels.ts';
import { kinds } from '../../../records/audit-log/url-params.ts';

const unnamedActors = ['environment', 'command line', 'start', 'schedule', 'audience'] as const;

/** All actors that exist. */
const useActors = () => {
  const members = useQuery(apiQuery('/users')).data?.data ?? [];
  const keys = useQuery(apiQuery('/keys')).data?.data ?? [];
  const channels = useQuery(allRecordsQuery('/channels')).data?.data ?? [];
  const integrations = useQuery(apiQuery('/integrations')).data?.data ?? [];
  return [
    ...members.map(({ id, email }) => ({ value: id, label: email })),
    ...keys.map(({ id, name }) => ({ value: id, label: name, detail: t('API key') })),
    ...channels.map(({ id, name }) => ({ value: id, label: name, detail: t('Channel') })),
    ...integrations.map(({ id, name }) => ({ value: id, label: name, detail: t('Integration') })),
    ...unnamedActors.map((kind) => ({ value: kind, label: actorKinds[kind] })),
  ];
};

export const filters: readonly Filter[] = [
  {
    kind: 'choice',
    name: 'kind',
    label: t('Record type'),
    options: kinds.map((kind) => ({ value: kind, label: kindLabels[kind] })),
  },
  {
    kind: 'search',
    name: 'actor',
    label: t('Actor'),
    useOptions: (typed) => {
      const text = typed.trim().toLowerCase();
      return useActors().filter(({ label }) => label.toLowerCase().includes(text));
    },
    // A removed actor has no name.
    useLabel: (id) => useActors().find(({ value }) => value === id)?.label ?? id,
  },
  { kind: 'dates', name: 'date', label: t('Date') },
  { kind: 'text', name: 'record', label: t('Record'), isHidden: true },
];
