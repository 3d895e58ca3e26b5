import { Pencil, Rocket } from 'lucide-react';
import type { Agent } from '../../../api/types.gen.ts';
import { useCommand } from '../../../app/commands.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy.tsx';
import { Time } from '../../../ui/time.tsx';

export const DeployButton = ({
  label,
  onDeploy,
}: {
  readonly label: string;
  readonly onDeploy: (label: string) => void;
}) => {
  useCommand(`Deploy ${label}`, () => onDeploy(label));
  return (
    <Button look="primary" onClick={() => onDeploy(label)}>
      <Rocket aria-hidden />
      Deploy {label}
    </Button>
  );
};

/** What is known of the agent, under its name. */
export const Facts = ({ agent, onEdit }: { readonly agent: Agent; readonly onEdit: () => void }) => {
  const { deployed_version: deployed } = agent;
  return (
    // The name alone says how much room there is for the actions beside it, except on a phone, where they go below.
    <div className="sm:w-0 sm:min-w-full">
      <div className="flex items-start gap-1">
        <p dir="auto" className="max-w-xl py-1 wrap-anywhere whitespace-pre-wrap">
          {agent.description || 'No description'}
        </p>
        <IconButton
          label="Edit name and description"
          size="small"
          icon={<Pencil aria-hidden />}
          onClick={onEdit}
        />
        <CopyButton text={agent.id} label="Copy agent ID" size="small" />
      </div>
      <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1">
        {deployed ? (
          <Badge tone="good" dot>
            {deployed.version_label} deployed
          </Badge>
        ) : (
          <Badge>Not deployed</Badge>
        )}
        <span>
          Updated <Time at={agent.updated_at} />
        </span>
      </p>
    </div>
  );
};
