import type { ClientBase } from 'pg';
import { asUnavailable } from './errors.ts';

/** The history that a server which accepts writes continues. Each promotion begins another one with a higher number. */
export interface Timeline {
  readonly number: number;
  /** The standbys of a server have its identifier. A restored dump and a new major version have another one. */
  readonly system: string;
}

/** The first eight digits of the name of a log file are its timeline. Null on a standby. */
const TIMELINE = `select case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline,
  (select system_identifier::text from pg_control_system()) as system`;

/** Undefined for a standby, null if the server does not say it. */
export const readTimeline = async (
  client: Pick<ClientBase, 'query'>,
): Promise<Timeline | undefined | null> => {
  try {
    const { timeline, system } = (await client.query(TIMELINE)).rows[0];
    return timeline === null ? undefined : { number: Number.parseInt(timeline, 16), system };
  } catch (error) {
    // Some managed services restrict these functions, or do not have them.
    if (asUnavailable(error) === error) return null;
    throw error;
  }
};

/** Divides a URL that may name several servers: `postgres://user@one:5432,two:5432/database`. As in any URL, the last @ ends
 *  the user and the password. */
const divide = (url: string): { start: string; hosts: string; rest: string } | undefined => {
  const [scheme] = /^postgres(?:ql)?:\/\//.exec(url) ?? [];
  if (scheme === undefined) return undefined;
  const [authority = ''] = url.slice(scheme.length).split(/[/?#]/, 1);
  const hosts = authority.slice(authority.lastIndexOf('@') + 1);
  const end = scheme.length + authority.length;
  return { start: url.slice(0, end - hosts.length), hosts, rest: url.slice(end) };
};

/** One URL for each server that a URL names. Undefined if it is invalid. */
export const serverUrls = (url: string): string[] | undefined => {
  const parts = divide(url);
  if (!parts) return undefined;
  const hosts = parts.hosts.split(',');
  const urls = hosts.map((host) => `${parts.start}${host}${parts.rest}`);
  const areValid = urls.every((each) => URL.canParse(each));
  return areValid && (hosts.length === 1 || !hosts.includes('')) ? urls : undefined;
};

/** The hosts of a URL, without credentials, for messages. */
export const hostsOf = (url: string): string => divide(url)?.hosts ?? '';

/** Quotes a name for SQL if necessary. */
export const identifier = (name: string): string =>
  /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;

/** Several servers are one primary and its standbys. The health check finds out which one accepts writes. */
export class Servers {
  readonly urls: readonly string[];
  /** The server for new connections. */
  current: string;
  #latest: Timeline | undefined;
  #isTimelineKnown = true;

  constructor(url: string) {
    this.urls = serverUrls(url) ?? [url];
    this.current = this.urls[0] as string;
  }

  /** Whether a standby was promoted after this timeline began: its server still accepts writes, but has old data. */
  isFormer(found: Timeline): boolean {
    const isOlder = this.#latest?.system === found.system && found.number < this.#latest.number;
    if (!isOlder) this.#latest = found;
    return isOlder;
  }

  /** Whether a connection leads to a former primary. A server that does not tell its timeline is asked once. */
  async leadsToFormer(client: Pick<ClientBase, 'query'>): Promise<boolean> {
    const found = this.#isTimelineKnown ? await readTimeline(client) : null;
    this.#isTimelineKnown = found !== null;
    return found ? this.isFormer(found) : false;
  }

  /** The next server in the list, which begins again after the last one. */
  after(url: string): string {
    return this.urls[(this.urls.indexOf(url) + 1) % this.urls.length] as string;
  }
}
