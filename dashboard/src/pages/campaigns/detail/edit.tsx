import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors } from '../../../api/api-error.ts';
import type { Campaign } from '../../../api/types.gen.ts';
import { ConflictButtons, ConflictComparison } from '../../../app/edit-conflict.tsx';
import { FormDialog } from '../../../app/form-dialog.tsx';
import { t } from '../../../lib/i18n.ts';
import { useAgents } from '../../../records/agents/agent-options.tsx';
import { campaignStatusLabels } from '../../../records/campaigns/labels.tsx';
import { Input } from '../../../ui/field.tsx';
import { toast } from '../../../ui/toast.tsx';
import { AgentField } from '../agent.tsx';
import { EditConflictError, type LoadedCampaign, saveCampaign } from './save.ts';

const formOf = ({ name, agent }: Campaign) => ({ name, agent: agent.id });

/** Edits the name and agent of a campaign. If someone else changed it meanwhile, shows both versions and asks which
 *  one to use. */
const EditCampaign = ({
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
      toast.good(t('{name} saved.', { name: campaign.name }));
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
      title={t('Edit campaign')}
      dirty={!isUnchanged}
      onSubmit={() => (isUnchanged && !theirs ? onClose() : save.mutate(theirs ?? seen))}
      onClose={onClose}
      action={t('Save')}
      busy={save.isPending}
      error={theirs ? undefined : save.error}
      footer={theirs && <ConflictButtons busy={save.isPending} onUseTheirs={() => takeTheirs(theirs)} />}
    >
      {theirs ? (
        <ConflictComparison
          kind="campaign"
          theirs={
            <Version
              name={theirs.data.name}
              agent={theirs.data.agent.name}
              status={campaignStatusLabels[theirs.data.status]}
            />
          }
          yours={<Version name={form.name} agent={agentName} status={t('Status unchanged')} />}
        />
      ) : (
        <>
          <Input
            label={t('Name')}
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
        </>
      )}
    </FormDialog>
  );
};

const Version = ({
  name,
  agent,
  status,
}: {
  readonly name: string;
  readonly agent: string;
  readonly status: string;
}) => (
  <>
    <p dir="auto" className="wrap-anywhere">
      {name}
    </p>
    <p className="wrap-anywhere text-muted">{t('Agent: {name}', { name: agent })}</p>
    <p className="text-[0.8125rem] text-muted">{status}</p>
  </>
);

export default EditCampaign;
