import { Link } from '@tanstack/react-router';
import type { Campaign } from '../../api/types.gen.ts';
import { Badge } from '../../ui/badge.tsx';
import { Select } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { useAgentOptions, useAgents, useDeployedLabel } from '../agents/agent-options.tsx';

/** The agent of a campaign with its deployed version. */
export const CampaignAgent = ({ agent }: { readonly agent: Campaign['agent'] }) => {
  const label = useDeployedLabel(agent.deleted ? undefined : agent.id);
  return (
    <span className="inline-flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
      {agent.deleted ? (
        <>
          <span dir="auto" className="wrap-anywhere">
            {agent.name}
          </span>
          <Badge tone="danger">Deleted</Badge>
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
        <Badge tone="good" dot>
          {label}
        </Badge>
      )}
      {label === null && <Badge tone="warn">Not deployed</Badge>}
    </span>
  );
};

/** Selects the agent of a campaign. Its current agent is an option even if it is not in the list. */
export const AgentField = ({
  value,
  current,
  error,
  onChange,
}: {
  readonly value: string;
  readonly current?: Campaign['agent'];
  readonly error?: string | undefined;
  readonly onChange: (id: string) => void;
}) => {
  const agents = useAgents();
  const listed = useAgentOptions();
  const isListed = !current || listed.some((each) => each.value === current.id);
  const own = isListed
    ? []
    : [{ value: current.id, label: current.deleted ? `${current.name} (deleted)` : current.name }];
  if (agents.isError && !agents.data)
    return <ErrorState error={agents.error} onRetry={() => void agents.refetch()} />;
  if (agents.data && listed.length === 0 && !current)
    return (
      <Notice
        action={
          <Link to="/agents" search={{ add: true }} className="font-medium underline">
            Create agent
          </Link>
        }
      >
        A campaign needs an agent. Create one first.
      </Notice>
    );
  return (
    <Select
      label="Agent"
      required
      hint="Talks to contacts using its deployed version."
      {...(value === '' && { placeholder: 'Choose an agent' })}
      options={[...own, ...listed]}
      value={value}
      error={error}
      onChange={({ target }) => onChange(target.value)}
    />
  );
};
