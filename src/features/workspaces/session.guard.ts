import type { IncomingMessage } from 'node:http';
import type { Storage } from '../../db/storage.ts';
import type { Guards } from '../../http/pipeline/credentials.ts';
import { originOf } from '../../http/pipeline/request-origin.ts';
import { ApiError } from '../../lib/errors.ts';
import type { IsTrustedProxy } from '../../lib/ip-address.ts';
import type { UserPrincipal } from './principal.ts';
import { findSession, SESSION_MS, signInFirst } from './session.service.ts';

export const SESSION_COOKIE = 'roster_session';

/** Over HTTPS. Browsers accept a cookie of this name only from this very host over HTTPS, so no other host of the domain
 *  can set it. */
export const HOST_COOKIE = `__Host-${SESSION_COOKIE}`;

const cookie = (name: string, token: string, secure: string): string =>
  `${name}=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${token ? SESSION_MS / 1000 : 0}${secure}`;

/** The cookie that carries a session, or with an empty token removes it. Not for scripts, not for other sites. Over HTTPS,
 *  one under the name for plain HTTP is removed: sessions had it until there was the other name. */
export const sessionCookies = (token: string, base: string): string[] =>
  base.startsWith('https:')
    ? [cookie(HOST_COOKIE, token, '; Secure'), cookie(SESSION_COOKIE, '', '; Secure')]
    : [cookie(SESSION_COOKIE, token, '')];

const tokenOf = ({ headers }: IncomingMessage): string => {
  const pairs = headers.cookie?.split(/; */) ?? [];
  const cookieNamed = (name: string) =>
    pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
  return cookieNamed(HOST_COOKIE) ?? cookieNamed(SESSION_COOKIE) ?? '';
};

const READING = new Set(['GET', 'HEAD']);

/** Whether an origin is this address, however its host and its usual port are written. */
const isOwn = (origin: string, base: string): boolean =>
  URL.canParse(base) && new URL(base).origin === origin.toLowerCase();

/** Whether the browser says that the request came from our own pages. */
const isSameOrigin = (request: IncomingMessage, isTrustedProxy: IsTrustedProxy): boolean => {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined && site !== 'same-origin') return false;
  return origin === undefined
    ? site === 'same-origin'
    : isOwn(origin, originOf(request, isTrustedProxy).base);
};

const notFromHere = (base: string) =>
  new ApiError('FORBIDDEN', `A change must come from Roster's own pages. Send the header Origin: ${base}.`);

/** A sign-in uses no cookie, so it may come from a program without an origin, but not from another site. */
export const assertNotForeign = (request: { headers: IncomingMessage['headers'] }, base: string): void => {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if ((origin !== undefined && !isOwn(origin, base)) || site === 'cross-site') throw notFromHere(base);
};

/** Lets people in by the cookie of their session; what changes something must come from our own pages. */
export const sessionGuards = (
  storage: Storage,
  isTrustedProxy: IsTrustedProxy,
): Pick<Guards, 'member' | 'owner'> => {
  const member = async (request: IncomingMessage): Promise<UserPrincipal> => {
    const token = tokenOf(request);
    const principal = token === '' ? undefined : await storage.run(findSession, null, { token });
    if (!principal) throw signInFirst();
    if (!READING.has(request.method ?? '') && !isSameOrigin(request, isTrustedProxy))
      throw notFromHere(originOf(request, isTrustedProxy).base);
    return principal;
  };
  const owner = async (request: IncomingMessage): Promise<UserPrincipal> => {
    const principal = await member(request);
    if (principal.role === 'owner') return principal;
    throw new ApiError('FORBIDDEN', 'Only an owner of the workspace may do this.');
  };
  return { member, owner };
};
