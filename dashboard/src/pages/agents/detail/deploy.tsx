import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { apiQuery, invalidate } from '../../../api/query.ts';
import type { Agent, VersionSummary } from '../../../api/types.gen.ts';
import { FormDialog } from '../../../app/form-dialog.tsx';
import { t } from '../../../lib/i18n.ts';
import { templateBlanksIn } from '../../../texts/agent-templates.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Textarea } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toast.tsx';
import { deployLabel, isRollback } from '../labels.tsx';
import { versionQuery } from '../version-query.ts';
import { Impact } from './deploy-impact.tsx';

/** Shows the impact of a deploy and asks for confirmation. A rollback is a deploy of an archived version. */
const DeployDialog = ({
  agent,
  version,
  isDirty,
  onClose,
  onCompare,
}: {
  readonly agent: Agent;
  readonly version: VersionSummary;
  /** The editor has unsaved changes. */
  readonly isDirty: boolean;
  readonly onClose: () => void;
  readonly onCompare: (compare: string) => void;
}) => {
  const [note, setNote] = useState('');
  const [confirmed, setConfirmed] = useState(false);
  const { version_label: label } = version;
  const params = { id: agent.id, version: version.id };
  const impact = useQuery({
    ...apiQuery('/agents/{id}/versions/{version}/impact', { params }),
    staleTime: 0,
  });
  const text = useQuery(versionQuery(agent.id, version.id));
  const impactData = impact.data?.data;
  const now = impactData?.deployed_version;
  const deploy = useMutation({
    mutationFn: () =>
      call('POST', '/agents/{id}/versions/{version}/deploy', {
        params,
        body: { note: note || null, ...(confirmed && { confirm_unknown_variables: true }) },
      }),
    onSuccess: ({ data }) => {
      void invalidate('/agents', '/deploys', '/figures');
      const meanwhile = data.changed && data.previous_version_id !== (now?.id ?? null);
      toast.good(
        !data.changed
          ? t('{label} was already deployed.', { label })
          : meanwhile
            ? t('{label} deployed. It replaced a version that someone else had just deployed.', { label })
            : isRollback(version, now)
              ? t('Rolled back to {label}.', { label })
              : t('{label} deployed.', { label }),
      );
      onClose();
    },
  });
  const name = deployLabel(version, agent.deployed_version);
  const problems = fieldErrors(deploy.error);
  const isDeployed = now?.id === version.id;
  const hasUnknown = !isDeployed && (impactData?.unknown_variables.length ?? 0) > 0;
  return (
    <FormDialog
      title={name}
      description={
        impactData &&
        (now
          ? t('{label} is currently deployed.', { label: now.version_label })
          : t('No version of this agent is deployed yet.'))
      }
      dirty={note !== ''}
      preventDismiss={deploy.isPending}
      onSubmit={() => deploy.mutate()}
      onClose={onClose}
      action={name}
      busy={deploy.isPending}
      disabled={
        !impactData || impact.isFetching || text.isPending || isDeployed || (hasUnknown && !confirmed)
      }
      error={deploy.error}
    >
      {impact.isError && !impactData ? (
        <ErrorState error={impact.error} onRetry={() => void impact.refetch()} />
      ) : (
        <div className="flex flex-col gap-4">
          {isDirty && (
            <Notice tone="warn">
              {t(
                'The editor has unsaved changes. They are not part of {label}. Save a draft first to include them.',
                { label },
              )}
            </Notice>
          )}
          {isDeployed ? (
            <Notice>{t('{label} is already deployed.', { label })}</Notice>
          ) : impactData ? (
            <Impact impact={impactData} blanks={templateBlanksIn(text.data?.content.text ?? '')} />
          ) : (
            <div className="flex flex-col gap-3" aria-busy>
              <Skeleton className="h-10 w-full" />
              <Skeleton className="h-10 w-full" />
              <Skeleton className="h-24 w-full" />
            </div>
          )}
          {now && !isDeployed && (
            <Button
              size="small"
              className="self-start"
              onClick={() => onCompare(`${now.version_label}..${label}`)}
            >
              {t('Compare {first} and {second}', { first: now.version_label, second: label })}
            </Button>
          )}
          {hasUnknown && (
            <div className="rounded-lg bg-warn-soft px-3 py-2.5 text-warn-ink">
              <Checkbox
                checked={confirmed}
                onChange={setConfirmed}
                label={t('{action} with unknown variables', { action: name })}
              />
            </div>
          )}
          <Textarea
            label={t('Note')}
            hint={
              isRollback(version, agent.deployed_version)
                ? t('Optional. Why are you rolling back?')
                : t('Optional. Why are you deploying this?')
            }
            rows={2}
            maxLength={500}
            value={note}
            error={problems.note}
            onChange={({ target }) => setNote(target.value)}
          />
        </div>
      )}
    </FormDialog>
  );
};

export default DeployDialog;
