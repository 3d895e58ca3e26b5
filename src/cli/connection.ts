import { ConfigError } from '../config/config.ts';
import { readVariable } from '../config/secret-variables.ts';
import { PROGRAM } from '../lib/executable.ts';
import { type ParsedArgs, UsageError } from './command.ts';
import { serviceUrl } from './link.ts';

/** A running service, and the API key to send. The URL has no slash at its end. */
export interface Connection {
  readonly url: string;
  readonly key: string;
}

/** The option of every command that uses the API. */
export const URL_OPTION = {
  url: 'URL of the service. Default: ROSTER_URL, or the service at HOST and PORT of this machine.',
};

/** `scopes` is an example of the option `--scope`. */
export const keyHint = (scopes: string): string =>
  `Create an API key with: ${PROGRAM} key create --name cli --scope ${scopes}`;

const baseUrl = (text: string): string | undefined => {
  const url = URL.parse(text);
  const isBase =
    url && /^https?:$/.test(url.protocol) && !(url.username || url.password || url.search || url.hash);
  return isBase ? url.href.replace(/\/$/, '') : undefined;
};

const FORM = 'must be a URL such as https://roster.example.com, without user name, query and fragment';

/** A password does not belong in messages. */
const withoutPassword = (url: string): string => {
  const at = url.lastIndexOf('@');
  if (at === -1) return url;
  const [scheme] = /^[a-z]{1,10}:\/\//i.exec(url) ?? [''];
  return `${scheme}…${url.slice(at)}`;
};

const readUrl = (option: string | undefined): string => {
  const variable = process.env.ROSTER_URL || undefined;
  const text = option ?? variable;
  if (text === undefined) return serviceUrl();
  const url = baseUrl(text);
  if (url !== undefined) return url;
  const shown = withoutPassword(text);
  throw option === undefined
    ? new ConfigError(`ROSTER_URL ${FORM}, not ${shown}.`)
    : new UsageError(`--url ${FORM}, not ${shown}.`);
};

/** The key is not an option: other users of the machine see the arguments of a process. */
const readKey = (scopes: string): string => {
  const key = readVariable(process.env, 'ROSTER_KEY') ?? '';
  if (key === '')
    throw new ConfigError(`Set ROSTER_KEY to an API key with the scope ${scopes}. ${keyHint(scopes)}`);
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new ConfigError('ROSTER_KEY must be an API key: printable ASCII characters without spaces.');
};

/** `scopes` is what the command needs, for messages. */
export const connect = ({ text }: Pick<ParsedArgs, 'text'>, scopes: string): Connection => ({
  url: readUrl(text('url')),
  key: readKey(scopes),
});
