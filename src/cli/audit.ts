import { type AuditEntry, findAuditEntries } from '../features/audit-log/audit-log.service.ts';
import type { Problem } from '../lib/errors.ts';
import { pageFields } from '../lib/page.ts';
import {
  AS_JSON,
  type Command,
  inWorkspace,
  print,
  table,
  UsageError,
  usageError,
  WORKSPACE,
} from './command.ts';

const usage = {
  'roster audit [--workspace W] [--limit 20] [--actor ID] [--subject ID] [--action contact.deleted] [--json]':
    'Lists who changed what in a workspace, newest first.',
};

const options = {
  workspace: WORKSPACE,
  limit: { type: 'string', description: 'Number of entries, 1 to 100. Default: 20.' },
  actor: { type: 'string', description: 'Only changes by this key, user, channel or integration (id).' },
  subject: { type: 'string', description: 'Only changes to this record (id).' },
  action: {
    type: 'string',
    description: 'Only this action, or every action that starts with this text, such as contact.',
  },
  json: AS_JSON,
} as const;

const readLimit = (text = '20'): number => {
  const problems: Problem[] = [];
  const limit = pageFields.limit.read(text, 'limit', problems);
  if (problems[0]) throw new UsageError(`--limit ${problems[0].message}`);
  return limit;
};

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

export const auditCommand: Command = {
  usage,
  options,
  run: async ({ positionals: rest, text, json }) => {
    if (rest.length > 0) throw usageError(usage);
    const query = {
      limit: readLimit(text('limit')),
      actor: text('actor'),
      subject: text('subject'),
      action: text('action'),
    };
    const { entries } = await inWorkspace(text('workspace'), (storage, principal) =>
      storage.run(findAuditEntries, principal, query),
    );
    print(
      json,
      entries,
      table(['TIME', 'ACTOR', 'ACTION', 'RECORD', 'CHANGES', 'REQUEST'], entries.map(row)),
    );
  },
};
