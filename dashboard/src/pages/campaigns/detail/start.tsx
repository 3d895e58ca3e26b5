import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { apiQuery } from '../../../api/query.ts';
import type { Campaign, CampaignStartCheck } from '../../../api/types.gen.ts';
import { numberText } from '../../../lib/format.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { ConfirmDialog } from '../../../ui/confirm.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import { BlockedPeople } from './blocked-people.tsx';
import { type LoadedCampaign, saveCampaign } from './save.ts';
import { notifyStatus } from './status-actions.tsx';

const Warnings = ({
  campaign,
  check,
}: {
  readonly campaign: Campaign;
  readonly check: CampaignStartCheck;
}) => {
  const { agent } = campaign;
  const openAgent = (
    <Link to="/agents/$id" params={{ id: agent.id }} className="font-medium underline">
      {t('Open {name}', { name: agent.name })}
    </Link>
  );
  const found: { readonly key: string; readonly text: ReactNode; readonly action?: ReactNode }[] = [];
  if (!check.deployed_version && !check.agent_deleted)
    found.push({
      key: 'version',
      text: t("{name} has no deployed version, so it can't talk to anyone. Deploy one first.", {
        name: agent.name,
      }),
      action: openAgent,
    });
  if (check.blocked.count > 0)
    found.push({
      key: 'blocked',
      text: (
        <>
          {check.blocked.is_complete
            ? plural(
                check.blocked.count,
                '# contact would be blocked, because the instructions use a value that it does not have.',
                '# contacts would be blocked, because the instructions use values that they do not have.',
              )
            : t(
                'At least {count} contacts would be blocked, because the instructions use values that they do not have.',
                { count: check.blocked.count },
              )}
          <BlockedPeople people={check.blocked.contacts} total={check.blocked.count} agent={agent} />
        </>
      ),
    });
  if (check.unknown_variables.length > 0)
    found.push({
      key: 'unknown',
      text: t('The instructions have unknown variables, which contacts would hear: {names}', {
        names: check.unknown_variables.join(', '),
      }),
      action: openAgent,
    });
  return found.map(({ key, text, action }) => (
    <Notice key={key} tone="warn" {...(action ? { action } : {})}>
      {text}
    </Notice>
  ));
};

/** Asks before a campaign starts, and says what is missing: a deployed version, contacts, or values that the instructions use. */
const StartCampaign = ({
  loaded,
  onClose,
}: {
  readonly loaded: LoadedCampaign;
  readonly onClose: () => void;
}) => {
  const { id, name, status, agent } = loaded.data;
  const query = useQuery({ ...apiQuery('/campaigns/{id}/start-check', { params: { id } }), staleTime: 0 });
  const check = query.data?.data;
  const isReady = !check || check.ready;
  const isResume = status === 'paused';
  const label = check?.deployed_version?.version_label;
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={isResume ? t('Resume {name}?', { name }) : t('Start {name}?', { name })}
      action={
        isReady
          ? isResume
            ? t('Resume campaign')
            : t('Start campaign')
          : isResume
            ? t('Resume anyway')
            : t('Start anyway')
      }
      consequences={[
        ...(check
          ? [
              check.enrolled === 0
                ? t('No contacts are enrolled yet. They are called as soon as you enroll them.')
                : plural(
                    check.enrolled,
                    '# contact is enrolled, {pending} of them pending.',
                    '# contacts are enrolled, {pending} of them pending.',
                    { pending: numberText(check.pending) },
                  ),
            ]
          : []),
        ...(label ? [t('{name} talks to them using {version}.', { name: agent.name, version: label })] : []),
        t('You can pause it at any time.'),
      ]}
      onConfirm={async () => notifyStatus(await saveCampaign(loaded, { status: 'active' }))}
    >
      {check && <Warnings campaign={loaded.data} check={check} />}
      {!check && !query.isError && <Skeleton className="h-10 w-full" />}
      {query.isError && (
        <Notice tone="warn">{t("Couldn't check whether everything is ready. You can start anyway.")}</Notice>
      )}
    </ConfirmDialog>
  );
};

export default StartCampaign;
