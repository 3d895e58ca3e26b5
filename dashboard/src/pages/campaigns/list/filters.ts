import type { Filter } from '../../../app/filters/definition.ts';
import { t } from '../../../lib/i18n.ts';
import { useAgents } from '../../../records/agents/agent-options.tsx';
import { campaignStatusLabels } from '../../../records/campaigns/labels.tsx';
import { campaignStatuses } from './url-params.ts';

export const filters: readonly Filter[] = [
  {
    kind: 'choice',
    name: 'status',
    label: t('Status'),
    options: campaignStatuses.map((value) => ({ value, label: campaignStatusLabels[value] })),
  },
  {
    kind: 'search',
    name: 'agent',
    label: t('Agent'),
    useOptions: (typed) => {
      const text = typed.trim().toLowerCase();
      return useAgents()
        .data?.data.filter(({ name }) => name.toLowerCase().includes(text))
        .map(({ id, name }) => ({ value: id, label: name }));
    },
    useLabel: (id) => useAgents().data?.data.find((agent) => agent.id === id)?.name ?? id,
  },
];
