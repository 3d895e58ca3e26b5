import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../../api/query.ts';
import type { Agent } from '../../../api/types.gen.ts';
import { versionQuery } from '../version-query.ts';
import { versionNumber } from './draft.ts';

/** Whether a version that was deployed is newer than the one that is deployed now. */
const isRolledBack = ({ deployed_version: deployed, versions }: Agent): boolean =>
  deployed !== null &&
  versions.some(
    (each) =>
      each.deployment_status === 'archived' &&
      versionNumber(each.version_label) > versionNumber(deployed.version_label),
  );

export const activeQuery = (id: string) => apiQuery('/agents/{id}/active', { params: { id } });

/** The version that the editor shows: the one that the URL names, or the newest. After a rollback it is the deployed one, until a
 *  newer draft is saved. */
export const useOpenedVersion = (agent: Agent, etag: string | null, wanted: string | undefined) => {
  const named = agent.versions.find((each) => each.version_label === wanted);
  const mayBeOlder = !named && isRolledBack(agent);
  const active = useQuery({
    ...activeQuery(agent.id),
    enabled: mayBeOlder,
  });
  const [newest] = agent.versions;
  const live = active.data?.data;
  const isLiveShown = mayBeOlder && live && newest && newest.created_at < live.deployed_at;
  const shown =
    named ?? (isLiveShown ? agent.versions.find((each) => each.id === agent.deployed_version?.id) : newest);
  const isReady = !mayBeOlder || !active.isPending;
  const text = useQuery({
    ...versionQuery(agent.id, shown?.id ?? ''),
    enabled: isReady && shown !== undefined,
  });
  const opened =
    isReady && text.data && shown && newest
      ? {
          id: shown.id,
          label: shown.version_label,
          ...text.data.content,
          etag,
          newest: newest.id,
        }
      : undefined;
  return { text, opened };
};
