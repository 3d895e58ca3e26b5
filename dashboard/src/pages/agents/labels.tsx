import type { VersionSummary } from '../../api/types.gen.ts';
import { Badge } from '../../ui/badge.tsx';
import { versionNumber } from './detail/draft.ts';

type Status = VersionSummary['deployment_status'];

const looks = {
  draft: ['Draft', 'info'],
  deployed: ['Deployed', 'good'],
  archived: ['Archived', 'plain'],
} as const;

export const VersionStatusBadge = ({ status }: { readonly status: Status }) => {
  const [word, tone] = looks[status];
  return (
    <Badge tone={tone} dot={status === 'deployed'}>
      {word}
    </Badge>
  );
};

interface VersionRef {
  readonly version_label: string;
}

/** The label of the deploy action: an archived version is rolled back to, or deployed again. */
export const deployLabel = (
  version: VersionRef & { readonly deployment_status: string },
  deployed: VersionRef | null | undefined,
): string => {
  const { version_label, deployment_status } = version;
  if (deployment_status !== 'archived') return `Deploy ${version_label}`;
  return deployed && versionNumber(version_label) < versionNumber(deployed.version_label)
    ? `Roll back to ${version_label}`
    : `Deploy ${version_label} again`;
};

/** The email of a user, or a placeholder after the user was removed. */
export const userLabel = (email: string | null): string => email ?? 'a removed user';
