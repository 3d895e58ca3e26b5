import { type ActivityEntry, findActivity } from '../features/activity/activity.service.ts';
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
    'Tells who changed what in a workspace, newest first.',
};

const options = {
  workspace: WORKSPACE,
  limit: { type: 'string', means: 'how many entries, 1 to 100 (20)' },
  actor: { type: 'string', means: 'only what this key, user, channel or integration did, by its id' },
  subject: { type: 'string', means: 'only what was done to this record, by its id' },
  action: { type: 'string', means: 'only this action; its beginning is enough: contact' },
  json: AS_JSON,
} as const;

const readLimit = (text = '20'): number => {
  const problems: Problem[] = [];
  const limit = pageFields.limit.read(text, 'limit', problems);
  if (problems[0]) throw new UsageError(`--limit ${problems[0].message}`);
  return limit;
};

const words = (called: { id: string | null; name: string | null } | null): string =>
  called?.name ?? called?.id ?? '';

const actorWords = ({ kind, ...called }: ActivityEntry['actor']) => words(called) || kind;

/** What was changed: the names of fields, or how many of what. */
const detail = ({ fields, counts }: ActivityEntry): string =>
  [
    ...(fields ?? []),
    ...Object.entries(counts ?? {}).map(([name, count]) => `${count.toLocaleString('en')} ${name}`),
  ].join(', ');

const row = (entry: ActivityEntry) => [
  entry.at,
  actorWords(entry.actor),
  entry.action,
  [words(entry.subject), words(entry.parent)].filter(Boolean).join(' of '),
  detail(entry),
  entry.request_id ?? '',
];

/** Tells what was done in a workspace and by whom, newest first. */
export const auditCommand: Command = {
  usage,
  options,
  run: async ({ words: rest, text, json }) => {
    if (rest.length > 0) throw usageError(usage);
    const query = {
      limit: readLimit(text('limit')),
      actor: text('actor'),
      subject: text('subject'),
      action: text('action'),
    };
    const { entries } = await inWorkspace(text('workspace'), (storage, principal) =>
      storage.run(findActivity, principal, query),
    );
    print(json, entries, table(['TIME', 'WHO', 'ACTION', 'RECORD', 'WHAT', 'REQUEST'], entries.map(row)));
  },
};
