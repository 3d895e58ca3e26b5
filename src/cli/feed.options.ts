import { feedFields } from '../features/events/event.schema.ts';
import { eventIdExample, positionIn } from '../records/event.id.ts';
import { type ParsedArgs, readField, UsageError } from './command.ts';
import { connect, URL_OPTION } from './connection.ts';

/** The options of every command that follows the feed. */
export const FEED_OPTIONS = {
  ...URL_OPTION,
  after: 'Begin after this event (id), after the newest (latest) or with the oldest. Default: latest.',
  types: 'Only events of these types, separated by commas. Default: all.',
};

export const FEED_SCOPE = 'events:read';

const readAfter = (text = 'latest'): string | null => {
  if (text === 'oldest') return null;
  if (text === 'latest' || positionIn(text) !== undefined) return text;
  throw new UsageError(
    `--after must be the id of an event, such as ${eventIdExample}, or latest or oldest, not ${text}.`,
  );
};

/** `after` is the id of an event, `latest`, or null to begin with the oldest event. */
export const readConnection = (args: Pick<ParsedArgs, 'text'>) => {
  const types = args.text('types');
  if (types !== undefined) readField('types', feedFields.types, types);
  const after = readAfter(args.text('after'));
  return { after, types, ...connect(args, FEED_SCOPE) };
};

export type FeedConnection = ReturnType<typeof readConnection>;
