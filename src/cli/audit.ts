import { type AuditEntry, listAuditEntries } from '../features/audit-log/audit-log.service.ts';
import { pageFields } from '../lib/page.ts';
import { type Command, inWorkspace, type ParsedArgs, readField, table } from './command.ts';

const labelOf = (record: { id: string | null; name: string | null } | null): string =>
  record?.name ?? record?.id ?? '';

const actorLabel = ({ actor: { kind, ...actor }, via }: AuditEntry) =>
  `${labelOf(actor) || kind}${via === 'mcp' ? ' via MCP' : ''}`;

/** The names of the changed fields, or the counts of a bulk change. */
const detail = ({ fields, counts }: AuditEntry): string =>
  [
    ...(fields ?? []),
    ...Object.entries(counts ?? {}).map(([name, count]) => `${count.toLocaleString('en')} ${name}`),
  ].join(', ');

const row = (entry: AuditEntry) => [
  entry.at,
  actorLabel(entry),
  entry.action,
  [labelOf(entry.subject), labelOf(entry.parent)].filter(Boolean).join(' of '),
  detail(entry),
  entry.request_id ?? '',
];

const list = async ({ text, print }: ParsedArgs): Promise<void> => {
  const limit = readField('limit', pageFields.limit, text('limit') ?? '20');
  const query = { limit, actor: text('actor'), subject: text('subject'), action: text('action') };
  const { json } = await inWorkspace(text('workspace'), (storage, principal) =>
    storage.run(listAuditEntries, principal, query),
  );
  const entries = JSON.parse(`[${json}]`) as AuditEntry[];
  print(entries, table(['TIME', 'ACTOR', 'ACTION', 'RECORD', 'CHANGES', 'REQUEST'], entries.map(row)));
};

export const auditCommand: Command = {
  forms: {
    'roster audit [--workspace W] [--limit 20] [--actor ID] [--subject ID] [--action contact.deleted] [--json]':
      ['Lists who changed what in a workspace, newest first.', list],
  },
  options: {
    limit: 'Number of entries, 1 to 100. Default: 20.',
    actor: 'Only changes by this key, user, channel or integration (id).',
    subject: 'Only changes to this record (id).',
    action: 'Only this action, or every action that starts with this text, such as contact.',
  },
};
