import { type ActivityEntry, findActivity } from '../activity/activity.service.ts';
import type { Problem } from '../kernel/errors.ts';
import { windowFields } from '../kernel/page.ts';
import { type Command, inWorkspace, print, readArguments, table, UsageError, usageError } from './command.ts';

const usage = [
  'roster audit [--workspace W] [--limit 20] [--actor ID] [--subject ID] [--action contact.deleted]',
];

const options = {
  workspace: { type: 'string' },
  limit: { type: 'string' },
  actor: { type: 'string' },
  subject: { type: 'string' },
  action: { type: 'string' },
} as const;

const readLimit = (text = '20'): number => {
  const problems: Problem[] = [];
  const limit = windowFields.limit.read(text, 'limit', problems);
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
  run: async (args) => {
    const { words: rest, text, json } = readArguments(args, usage, options);
    if (rest.length > 0) throw usageError(usage);
    const query = {
      limit: readLimit(text('limit')),
      actor: text('actor'),
      subject: text('subject'),
      action: text('action'),
    };
    const { entries } = await inWorkspace(text('workspace'), (storage, principal) =>
      storage.scan(findActivity, principal, query),
    );
    print(json, entries, table(['TIME', 'WHO', 'ACTION', 'RECORD', 'WHAT', 'REQUEST'], entries.map(row)));
  },
};
