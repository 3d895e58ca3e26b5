import { Link, type LinkProps } from '@tanstack/react-router';
import type { AuditEntry, AuditedRecord } from '../../api/types.gen.ts';
import { jobsDialog } from '../../app/bulk-jobs/start.ts';
import { t } from '../../lib/i18n.ts';
import { rich } from '../../ui/rich.tsx';
import { VersionLink } from '../agents/version-link.tsx';
import { kindOf } from './labels.ts';
import type { Kind } from './url-params.ts';

/** The page of each kind of record. Users have no page of their own and are listed in the settings. */
const pages: Partial<Record<Kind, (id: string) => LinkProps>> = {
  contact: (id) => ({ to: '/contacts/$id', params: { id } }),
  agent: (id) => ({ to: '/agents/$id', params: { id } }),
  channel: (channel) => ({ to: '/channels', search: { channel } }),
  call: (call) => ({ to: '/calls', search: { call } }),
  campaign: (id) => ({ to: '/campaigns/$id', params: { id } }),
  enrollment: (id) => ({ to: '/contacts/$id', params: { id } }),
  import: (id) => ({ to: '/import/$id', params: { id } }),
  integration: (integration) => ({ to: '/integrations', search: { integration } }),
  webhook: (id) => ({ to: '/webhooks/$id', params: { id } }),
  segment: (segment) => ({ to: '/contacts', search: { segment } }),
  key: () => ({ to: '/settings', search: { tab: 'keys' } }),
  user: () => MEMBERS,
  link: () => MEMBERS,
  session: () => MEMBERS,
};
const MEMBERS: LinkProps = { to: '/settings', search: { tab: 'members' } };

/** A link to a record by its name or id. Deleted records, and kinds without a page, are not linked. */
export const RecordLink = ({ of, kind }: { readonly of: AuditedRecord; readonly kind: Kind }) => {
  const text = of.name ?? <span className="font-mono text-[0.8125rem]">{of.id}</span>;
  if (of.deleted)
    return (
      <span className="wrap-anywhere text-muted">
        {text} {t('(deleted)')}
      </span>
    );
  const page = pages[kind]?.(of.id);
  if (!page) return <span className="wrap-anywhere">{text}</span>;
  return (
    <Link {...page} className="rounded wrap-anywhere hover:underline">
      {text}
    </Link>
  );
};

const isJob = ({ id }: AuditedRecord): boolean => id.startsWith('bulk_job_');

/** Opens the bulk job that has made a change, where it can be undone. */
const JobLink = ({ of: { id, deleted } }: { readonly of: AuditedRecord }) =>
  deleted ? (
    <span className="text-muted">{t('Bulk job')}</span>
  ) : (
    <button type="button" className="rounded hover:underline" onClick={() => jobsDialog.set(id)}>
      {t('Bulk job')}
    </button>
  );

/** The changed record: on its own, or as a part of another one. */
export const ChangedRecord = ({ entry }: { readonly entry: AuditEntry }) => {
  const { subject, parent } = entry;
  const kind = kindOf(entry);
  if (!parent && subject && isJob(subject)) return <JobLink of={subject} />;
  if (!parent) return subject && <RecordLink of={subject} kind={kind} />;
  if (kind === 'version' || entry.action === 'agent.deployed')
    return (
      <span>
        {rich('{version} of {agent}', {
          version: subject && (
            <VersionLink agent={parent.id} label={subject.name ?? subject.id} isDeleted={parent.deleted} />
          ),
          agent: <RecordLink of={parent} kind="agent" />,
        })}
      </span>
    );
  const campaign = <RecordLink of={parent} kind="campaign" />;
  if (subject && isJob(subject))
    return <span>{rich('{contact} in {campaign}', { contact: <JobLink of={subject} />, campaign })}</span>;
  return (
    <span>
      {subject
        ? rich('{contact} in {campaign}', { contact: <RecordLink of={subject} kind="contact" />, campaign })
        : campaign}
    </span>
  );
};
