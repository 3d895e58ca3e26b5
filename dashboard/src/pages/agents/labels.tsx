import type { ListedVersion, VersionSummary } from '../../api/types.gen.ts';
import { t } from '../../lib/i18n.ts';
import { Badge } from '../../ui/badge.tsx';
import { versionNumber } from './detail/draft.ts';

type Status = VersionSummary['deployment_status'];

const looks = {
  draft: [t('Draft'), 'info'],
  deployed: [t('Deployed'), 'good'],
  archived: [t('Archived'), 'plain'],
} as const;

export const VersionStatusBadge = ({ status }: { readonly status: Status }) => {
  const [word, tone] = looks[status];
  return (
    <Badge tone={tone} dot={status === 'deployed'}>
      {word}
    </Badge>
  );
};

/** A version and its status, such as `v2, deployed`. */
export const versionWithStatus = (label: string, status: Status | undefined): string => {
  if (status === 'draft') return t('{label}, draft', { label });
  if (status === 'deployed') return t('{label}, deployed', { label });
  return t('{label}, archived', { label });
};

interface VersionRef {
  readonly version_label: string;
}

/** Whether a deploy of the version returns to an older one. */
export const isRollback = (
  version: VersionRef & { readonly deployment_status: string },
  deployed: VersionRef | null | undefined,
): boolean =>
  version.deployment_status === 'archived' &&
  deployed !== null &&
  deployed !== undefined &&
  versionNumber(version.version_label) < versionNumber(deployed.version_label);

/** The label of the deploy action: an archived version is rolled back to, or redeployed. */
export const deployLabel = (
  version: VersionRef & { readonly deployment_status: string },
  deployed: VersionRef | null | undefined,
): string => {
  const { version_label: label, deployment_status } = version;
  if (deployment_status !== 'archived') return t('Deploy {label}', { label });
  return isRollback(version, deployed)
    ? t('Roll back to {label}', { label })
    : t('Redeploy {label}', { label });
};

/** The same without the version. */
export const deployWord = (...[version, deployed]: Parameters<typeof deployLabel>): string => {
  if (version.deployment_status !== 'archived') return t('Deploy');
  return isRollback(version, deployed) ? t('Roll back') : t('Redeploy');
};

const keyLabel = (name: string): string => t('API key “{name}”', { name });

/** Who deployed a version: the email of a user, a placeholder after the user was removed, or the name of an API key. */
export const deployerLabel = (deploy: {
  readonly deployed_by_email: string | null;
  readonly deployed_by_key_name: string | null;
}): string =>
  deploy.deployed_by_key_name !== null
    ? keyLabel(deploy.deployed_by_key_name)
    : (deploy.deployed_by_email ?? t('a removed user'));

/** Who wrote a version. */
export const authorLabel = (
  origin: Pick<ListedVersion, 'created_by' | 'created_by_email' | 'created_by_key_name'>,
): string => {
  if (origin.created_by_key_name !== null) return keyLabel(origin.created_by_key_name);
  if (origin.created_by_email !== null) return origin.created_by_email;
  if (origin.created_by === null) return t('unknown');
  return origin.created_by.startsWith('user_') ? t('a removed user') : origin.created_by;
};
