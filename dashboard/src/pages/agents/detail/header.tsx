import { useQuery } from '@tanstack/react-query';
import { Pencil, Rocket, Undo2 } from 'lucide-react';
import type { Agent } from '../../../api/types.gen.ts';
import { useCommand } from '../../../app/commands.ts';
import { t } from '../../../lib/i18n.ts';
import { VersionLink } from '../../../records/agents/version-link.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy.tsx';
import { rich } from '../../../ui/rich.tsx';
import { Time } from '../../../ui/time.tsx';
import { deployLabel, isRollback } from '../labels.tsx';
import { deploysQuery } from './deploy-history.tsx';

export const DeployButton = ({
  label,
  onDeploy,
}: {
  readonly label: string;
  readonly onDeploy: (label: string) => void;
}) => {
  const name = t('Deploy {label}', { label });
  useCommand(name, () => onDeploy(label));
  return (
    <Button variant="primary" onClick={() => onDeploy(label)}>
      <Rocket aria-hidden />
      {name}
    </Button>
  );
};

interface RollbackProps {
  readonly name: string;
  readonly onRollBack: () => void;
}

const Rollback = ({ name, onRollBack }: RollbackProps) => {
  useCommand(name, onRollBack);
  return (
    <Button onClick={onRollBack}>
      <Undo2 aria-hidden />
      {name}
    </Button>
  );
};

/** Returns to the version that was deployed before, if it is an older one. */
export const RollbackButton = ({
  agent,
  onDeploy,
}: {
  readonly agent: Agent;
  readonly onDeploy: (label: string) => void;
}) => {
  const [last] = useQuery(deploysQuery(agent.id)).data?.data ?? [];
  const { deployed_version: deployed, versions } = agent;
  const previous = versions.find(({ id }) => id === last?.previous_version_id);
  if (!previous || last?.version_id !== deployed?.id || !isRollback(previous, deployed)) return null;
  const name = deployLabel(previous, deployed);
  return <Rollback key={name} name={name} onRollBack={() => onDeploy(previous.version_label)} />;
};

/** The description, ID and deployed version of an agent. */
export const AgentSummary = ({ agent, onEdit }: { readonly agent: Agent; readonly onEdit: () => void }) => {
  const { deployed_version: deployed } = agent;
  return (
    // Takes no width of its own, so that only the name decides how much room the actions have. On a phone they wrap
    // below.
    <div className="sm:w-0 sm:min-w-full">
      <div className="flex items-start gap-1">
        <p dir="auto" className="max-w-xl py-1 wrap-anywhere whitespace-pre-wrap">
          {agent.description || t('No description')}
        </p>
        <IconButton
          label={t('Edit name and description')}
          size="small"
          icon={<Pencil aria-hidden />}
          onClick={onEdit}
        />
      </div>
      <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1">
        {deployed ? (
          <VersionLink agent={agent.id} label={deployed.version_label}>
            <Badge tone="good" dot>
              {t('{label} deployed', { label: deployed.version_label })}
            </Badge>
          </VersionLink>
        ) : (
          <Badge>{t('Not deployed')}</Badge>
        )}
        <span>{rich('Updated {time}', { time: <Time at={agent.updated_at} /> })}</span>
        <CopyButton text={agent.id} size="small" variant="quiet">
          {t('Copy agent ID')}
        </CopyButton>
      </p>
    </div>
  );
};
