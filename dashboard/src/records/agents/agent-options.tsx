import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { allRecordsQuery } from '../../api/all-records.ts';
import { apiQuery } from '../../api/query.ts';
import type { Channel } from '../../api/types.gen.ts';
import { t } from '../../lib/i18n.ts';
import { Badge } from '../../ui/badge.tsx';
import { VersionLink } from './version-link.tsx';

/** The agents, shared by all rows and selects. */
export const useAgents = () => useQuery(allRecordsQuery('/agents'));

/** The label of an agent's deployed version: `null` if none is deployed, `undefined` while loading. */
export const useDeployedLabel = (agent: string | undefined): string | null | undefined => {
  const shared = useAgents();
  const listed = shared.data?.data.find(({ id }) => id === agent);
  const isBeyond = shared.isSuccess && !listed && agent !== undefined;
  const single = useQuery({
    ...apiQuery('/agents/{id}', { params: { id: agent ?? '' } }),
    enabled: isBeyond,
  });
  const found = listed ?? single.data?.data;
  return found && (found.deployed_version?.version_label ?? null);
};

/** The agents with their deployed versions, as options of a select. */
export const useAgentOptions = () =>
  useAgents().data?.data.map(({ id, name, deployed_version }) => ({
    value: id,
    label: `${name} (${deployed_version?.version_label ?? t('not deployed')})`,
  })) ?? [];

interface NamedAgent {
  readonly id: string;
  readonly name: string;
  readonly deleted?: boolean;
}

/** An agent with its deployed version, for the rows and headings of records that use it. */
export const AgentName = ({ agent }: { readonly agent: NamedAgent }) => {
  const label = useDeployedLabel(agent.deleted ? undefined : agent.id);
  return (
    <span className="inline-flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
      {agent.deleted ? (
        <>
          <span dir="auto" className="wrap-anywhere">
            {agent.name}
          </span>
          <Badge tone="danger">{t('Deleted')}</Badge>
        </>
      ) : (
        <Link
          to="/agents/$id"
          params={{ id: agent.id }}
          dir="auto"
          className="relative z-10 rounded wrap-anywhere hover:underline"
        >
          {agent.name}
        </Link>
      )}
      {label && (
        <VersionLink agent={agent.id} label={label}>
          <Badge tone="good" dot>
            {label}
          </Badge>
        </VersionLink>
      )}
      {label === null && <Badge tone="warn">{t('Not deployed')}</Badge>}
    </span>
  );
};

/** The agent of a channel, which may have none. */
export const ChannelAgentName = ({ agent }: { readonly agent: Channel['agent'] }) =>
  agent ? <AgentName agent={agent} /> : <Badge tone="warn">{t('No agent')}</Badge>;
