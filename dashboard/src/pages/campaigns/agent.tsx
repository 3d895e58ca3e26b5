import { Link } from '@tanstack/react-router';
import type { Campaign } from '../../api/types.gen.ts';
import { t } from '../../lib/i18n.ts';
import { useAgentOptions, useAgents } from '../../records/agents/agent-options.tsx';
import { Select } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ErrorState } from '../../ui/states.tsx';

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
    : [
        {
          value: current.id,
          label: current.deleted ? t('{name} (deleted)', { name: current.name }) : current.name,
        },
      ];
  if (agents.isError && !agents.data)
    return <ErrorState error={agents.error} onRetry={() => void agents.refetch()} />;
  if (agents.data && listed.length === 0 && !current)
    return (
      <Notice
        action={
          <Link to="/agents" search={{ add: true }} className="font-medium underline">
            {t('Create agent')}
          </Link>
        }
      >
        {t('A campaign needs an agent. Create one first.')}
      </Notice>
    );
  return (
    <Select
      label={t('Agent')}
      required
      hint={t('Talks to contacts using its deployed version.')}
      {...(value === '' && { placeholder: t('Choose an agent') })}
      options={[...own, ...listed]}
      value={value}
      error={error}
      onChange={({ target }) => onChange(target.value)}
    />
  );
};
