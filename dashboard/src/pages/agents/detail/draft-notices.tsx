import type { Agent, VersionSummary } from '../../../api/types.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { rich } from '../../../ui/rich.tsx';
import { Time } from '../../../ui/time.tsx';
import type { BaseVersion, Draft } from './draft.ts';

/** Which version the editor shows. */
export const shownText = ({ versions }: Agent, { id, label }: BaseVersion): string => {
  const status = versions.find((each) => each.id === id)?.deployment_status;
  if (versions[0]?.id === id)
    return status === 'deployed'
      ? t('{label}, the latest version (deployed).', { label })
      : t('{label}, the latest version.', { label });
  return status === 'deployed'
    ? t('{label}, the deployed version.', { label })
    : t('{label}, an earlier version.', { label });
};

const olderText = ({ deployed_version: live }: Agent, { id, label }: BaseVersion, newest: string): string =>
  live?.id === id
    ? t('The editor shows {label}, which is live. {newest} is newer.', { label, newest })
    : t('The editor shows {label}. {newest} is newer.', { label, newest });

/** What one should know before editing: a newer version, edits that were restored, a version of someone else. */
export const DraftNotices = ({
  agent,
  draft: { base, theirs },
  restoredAt,
  onOpen,
  onDiscard,
  onCompare,
}: {
  readonly agent: Agent;
  readonly draft: Draft;
  /** When the restored edits were kept. */
  readonly restoredAt: string | undefined;
  readonly onOpen: (version: VersionSummary) => void;
  readonly onDiscard: () => void;
  readonly onCompare: () => void;
}) => {
  const [newest] = agent.versions;
  const isOlder = base && newest && base.newest === newest.id && base.id !== newest.id;
  return (
    <div className="flex flex-col gap-3 not-empty:mb-3">
      {isOlder && (
        <Notice
          action={
            <Button size="small" onClick={() => onOpen(newest)}>
              {t('Open {label}', { label: newest.version_label })}
            </Button>
          }
        >
          {olderText(agent, base, newest.version_label)}
        </Notice>
      )}
      {restoredAt && (
        <Notice
          action={
            <Button size="small" onClick={onDiscard}>
              {t('Discard changes')}
            </Button>
          }
        >
          {rich('Your unsaved changes from {time} were restored.', { time: <Time at={restoredAt} /> })}
        </Notice>
      )}
      {theirs && (
        <Notice
          tone="warn"
          action={
            <Button size="small" onClick={onCompare}>
              {t('Compare')}
            </Button>
          }
        >
          {t('{label} was saved by someone else while you were editing. Your text is still here.', {
            label: theirs.label,
          })}
        </Notice>
      )}
    </div>
  );
};
