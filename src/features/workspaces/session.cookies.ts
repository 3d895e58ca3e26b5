import type { IncomingHttpHeaders } from 'node:http';
import { SESSION_MS, workspaceOf } from './session.service.ts';

export const SESSION_COOKIE = 'roster_session';

/** The sessions of this browser in other workspaces. Only a switch makes one of them the current one. */
export const OTHERS_COOKIE = 'roster_other_sessions';

/** The prefix of cookies over HTTPS. Browsers accept it only from the same host over HTTPS, so no other host of the domain
 *  can set the cookie. */
const HOST_PREFIX = '__Host-';
export const HOST_COOKIE = HOST_PREFIX + SESSION_COOKIE;

export const MAX_OTHERS = 8;

const cookie = (name: string, value: string, secure: string): string =>
  `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${value ? SESSION_MS / 1000 : 0}${secure}`;

const cookiesOf = (name: string, value: string, base: string): string[] =>
  base.startsWith('https:')
    ? [cookie(HOST_PREFIX + name, value, '; Secure'), cookie(name, '', '; Secure')]
    : [cookie(name, value, '')];

type RequestHeaders = Pick<IncomingHttpHeaders, 'cookie'>;

const cookieValue = (headers: RequestHeaders, name: string): string => {
  const pairs = headers.cookie?.split(/; */) ?? [];
  const cookieNamed = (each: string) =>
    pairs.find((pair) => pair.startsWith(`${each}=`))?.slice(each.length + 1);
  return cookieNamed(HOST_PREFIX + name) ?? cookieNamed(name) ?? '';
};

/** The token of the current session. */
export const currentToken = (headers: RequestHeaders): string => cookieValue(headers, SESSION_COOKIE);

/** The tokens of the sessions in other workspaces. */
export const otherTokens = (headers: RequestHeaders): string[] =>
  cookieValue(headers, OTHERS_COOKIE).split('.').filter(Boolean).slice(0, MAX_OTHERS);

/** The cookies of a current session and those in other workspaces; an empty token removes it. A workspace has one session, and a
 *  cookie that the browser does not have is not removed. */
export const sessionCookies = (
  token: string,
  { base, headers, others = [] }: { base: string; headers: RequestHeaders; others?: readonly string[] },
): string[] => {
  const seen = new Set([workspaceOf(token)]);
  const kept = others.filter((other) => {
    const workspace = workspaceOf(other);
    return !seen.has(workspace) && seen.add(workspace);
  });
  const value = kept.slice(0, MAX_OTHERS).join('.');
  const isUnchanged = value === '' && cookieValue(headers, OTHERS_COOKIE) === '';
  return [
    ...cookiesOf(SESSION_COOKIE, token, base),
    ...(isUnchanged ? [] : cookiesOf(OTHERS_COOKIE, value, base)),
  ];
};
