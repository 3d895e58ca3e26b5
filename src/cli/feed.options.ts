import { ConfigError } from '../config/config.ts';
import { readVariable } from '../config/secret-variables.ts';
import { eventIdExample, positionIn } from '../features/events/event.id.ts';
import { feedFields } from '../features/events/event.schema.ts';
import { PROGRAM } from '../lib/executable.ts';
import { type ParsedArgs, readField, UsageError } from './command.ts';
import { serviceUrl } from './link.ts';

/** The options of every command that follows the feed. */
export const FEED_OPTIONS = {
  url: 'URL of the service. Default: ROSTER_URL, or the service at HOST and PORT of this machine.',
  after: 'Begin after this event (id), after the newest (latest) or with the oldest. Default: latest.',
  types: 'Only events of these types, separated by commas. Default: all.',
};

export const KEY_HINT = `Create an API key with it: ${PROGRAM} key create --name events --scope events:read`;

const readAfter = (text = 'latest'): string | null => {
  if (text === 'oldest') return null;
  if (text === 'latest' || positionIn(text) !== undefined) return text;
  throw new UsageError(
    `--after must be the id of an event, such as ${eventIdExample}, or latest or oldest, not ${text}.`,
  );
};

const baseUrl = (text: string): string | undefined => {
  const url = URL.parse(text);
  const isBase =
    url && /^https?:$/.test(url.protocol) && !(url.username || url.password || url.search || url.hash);
  return isBase ? url.href.replace(/\/$/, '') : undefined;
};

const FORM = 'must be a URL such as https://roster.example.com, without user name, query and fragment';

const readUrl = (option: string | undefined): string => {
  const variable = process.env.ROSTER_URL || undefined;
  const text = option ?? variable;
  if (text === undefined) return serviceUrl();
  const url = baseUrl(text);
  if (url !== undefined) return url;
  throw option === undefined
    ? new ConfigError(`ROSTER_URL ${FORM}, not ${text}.`)
    : new UsageError(`--url ${FORM}, not ${text}.`);
};

/** The key is not an option: other users of the machine see the arguments of a process. */
const readKey = (): string => {
  const key = readVariable(process.env, 'ROSTER_API_KEY') ?? '';
  if (key === '')
    throw new ConfigError(`Set ROSTER_API_KEY to an API key with the scope events:read. ${KEY_HINT}`);
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new ConfigError('ROSTER_API_KEY must be an API key: printable ASCII characters without spaces.');
};

/** The URL has no slash at the end. `after` is the id of an event, `latest`, or null to begin with the oldest event. */
export const readConnection = ({ text }: Pick<ParsedArgs, 'text'>) => {
  const types = text('types');
  if (types !== undefined) readField('types', feedFields.types, types);
  const after = readAfter(text('after'));
  return { after, types, url: readUrl(text('url')), key: readKey() };
};

export type FeedConnection = ReturnType<typeof readConnection>;
