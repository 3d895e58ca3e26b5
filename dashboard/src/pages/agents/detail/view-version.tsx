import { useQuery } from '@tanstack/react-query';
import { GitCompare, PenLine } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { loadChunk } from '../../../api/load-chunk.ts';
import { apiQuery } from '../../../api/query.ts';
import type { Agent, VersionSummary } from '../../../api/types.gen.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { VersionStatusBadge } from '../labels.tsx';

const VersionText = lazy(() => loadChunk(() => import('./version-text.tsx')));
const waiting = <Skeleton className="h-60 w-full" />;

/** The instructions of one version, read-only. */
export const ViewVersion = ({
  agent,
  version,
  onClose,
  onCompare,
  onEdit,
}: {
  readonly agent: Agent;
  readonly version: VersionSummary;
  readonly onClose: () => void;
  readonly onCompare: (compare: string) => void;
  readonly onEdit: () => void;
}) => {
  const { version_label: label } = version;
  const params = { id: agent.id, version: version.id };
  const query = useQuery(apiQuery('/agents/{id}/versions/{version}', { params }));
  const text = query.data?.data.instructions;
  const deployed = agent.deployed_version;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="large"
      title={label}
      description={
        <span className="flex flex-wrap items-center gap-2">
          <VersionStatusBadge status={version.deployment_status} />
          <span>
            Created <Time at={version.created_at} />
          </span>
        </span>
      }
      footer={
        <>
          {deployed && deployed.id !== version.id && (
            <Button onClick={() => onCompare(`${deployed.version_label}..${label}`)}>
              <GitCompare aria-hidden />
              Compare with {deployed.version_label}
            </Button>
          )}
          <Button onClick={onEdit}>
            <PenLine aria-hidden />
            Start a draft from this version
          </Button>
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      {query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : text === undefined ? (
        waiting
      ) : text === '' ? (
        <p className="text-sm text-muted">This version has no instructions.</p>
      ) : (
        <div className="flex flex-col gap-2">
          <Suspense fallback={waiting}>
            <VersionText label={`Instructions of ${label}`} text={text} />
          </Suspense>
          <div>
            <CopyButton text={text} size="small">
              Copy instructions
            </CopyButton>
          </div>
        </div>
      )}
    </Dialog>
  );
};
