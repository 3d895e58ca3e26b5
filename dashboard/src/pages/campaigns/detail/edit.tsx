import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage, fieldErrors } from '../../../api/api-error.ts';
import type { Campaign } from '../../../api/types.gen.ts';
import { FormDialog } from '../../../app/form-dialog.tsx';
import { Button } from '../../../ui/button.tsx';
import { DialogClose } from '../../../ui/dialog.tsx';
import { Input } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { toast } from '../../../ui/toast.tsx';
import { useAgents } from '../../agents/agent-options.tsx';
import { AgentField } from '../agent.tsx';
import { campaignStatusLabels } from '../labels.tsx';
import { EditConflictError, type LoadedCampaign, saveCampaign } from './save.ts';

const formOf = ({ name, agent }: Campaign) => ({ name, agent: agent.id });

/** Edits the name and agent of a campaign. If someone else changed it meanwhile, shows both versions and asks which
 *  one to use. */
export const EditCampaign = ({
  loaded,
  onClose,
}: {
  readonly loaded: LoadedCampaign;
  readonly onClose: () => void;
}) => {
  const [seen, setSeen] = useState(loaded);
  const [form, setForm] = useState(formOf(loaded.data));
  const [theirs, setTheirs] = useState<LoadedCampaign>();
  const agents = useAgents();
  const set = (change: Partial<typeof form>) => setForm((now) => ({ ...now, ...change }));
  const { name, agent } = seen.data;
  const save = useMutation({
    mutationFn: (over: LoadedCampaign) =>
      saveCampaign(over, {
        ...(form.name !== over.data.name && { name: form.name }),
        ...(form.agent !== over.data.agent.id && { agent_id: form.agent }),
      }),
    onSuccess: (campaign) => {
      toast.good(`${campaign.name} saved.`);
      onClose();
    },
    onError: (error) => error instanceof EditConflictError && setTheirs(error.theirs),
  });
  const problems = fieldErrors(save.error);
  const takeTheirs = (now: LoadedCampaign) => {
    setSeen(now);
    setForm(formOf(now.data));
    setTheirs(undefined);
    save.reset();
  };
  const isUnchanged = form.name === name && form.agent === agent.id;
  const agentName = [agent, ...(agents.data?.data ?? [])].find(({ id }) => id === form.agent)?.name ?? '';
  return (
    <FormDialog
      open
      onOpenChange={onClose}
      title="Edit campaign"
      dirty={!isUnchanged}
      onSubmit={() => (isUnchanged && !theirs ? onClose() : save.mutate(theirs ?? seen))}
      footer={
        theirs ? (
          <>
            <Button onClick={() => takeTheirs(theirs)}>Use theirs</Button>
            <Button type="submit" variant="primary" busy={save.isPending}>
              Save mine
            </Button>
          </>
        ) : (
          <>
            <DialogClose>Cancel</DialogClose>
            <Button type="submit" variant="primary" busy={save.isPending}>
              Save
            </Button>
          </>
        )
      }
    >
      {theirs ? (
        <Comparison theirs={theirs.data} name={form.name} agent={agentName} />
      ) : (
        <div className="flex flex-col gap-4">
          <Input
            label="Name"
            required
            autoFocus
            maxLength={100}
            autoComplete="off"
            value={form.name}
            error={problems.name}
            onChange={({ target }) => set({ name: target.value })}
          />
          <AgentField
            value={form.agent}
            current={agent}
            error={problems.agent_id}
            onChange={(id) => set({ agent: id })}
          />
          {save.isError && Object.keys(problems).length === 0 && (
            <Notice tone="danger">{errorMessage(save.error)}</Notice>
          )}
        </div>
      )}
    </FormDialog>
  );
};

const Comparison = ({
  theirs,
  name,
  agent,
}: {
  readonly theirs: Campaign;
  readonly name: string;
  readonly agent: string;
}) => (
  <div className="flex flex-col gap-3">
    <Notice tone="warn">
      Someone else changed this campaign while you were editing. Your changes haven't been saved.
    </Notice>
    <div className="grid gap-3 sm:grid-cols-2">
      {(
        [
          ['Their version (saved)', theirs.name, theirs.agent.name, campaignStatusLabels[theirs.status]],
          ['Your version (not saved)', name, agent, 'Status unchanged'],
        ] as const
      ).map(([title, campaignName, agentName, status]) => (
        <section key={title} aria-label={title} className="rounded-xl border border-line p-3 text-sm">
          <h3 className="mb-1 font-medium">{title}</h3>
          <p dir="auto" className="wrap-anywhere">
            {campaignName}
          </p>
          <p className="wrap-anywhere text-muted">Agent: {agentName}</p>
          <p className="text-[0.8125rem] text-muted">{status}</p>
        </section>
      ))}
    </div>
  </div>
);
