import type { IncomingMessage } from 'node:http';
import type { Storage } from '../../db/storage.ts';
import type { Guards } from '../../http/pipeline/credentials.ts';
import { originOf } from '../../http/pipeline/request-origin.ts';
import { ApiError } from '../../lib/errors.ts';
import type { IsTrustedProxy } from '../../lib/ip-address.ts';
import type { UserPrincipal } from './principal.ts';
import { findSession, SESSION_MS, signInRequired } from './session.service.ts';

export const SESSION_COOKIE = 'roster_session';

/** The cookie over HTTPS. Browsers accept this prefix only from the same host over HTTPS, so no other host of the domain
 *  can set the cookie. */
export const HOST_COOKIE = `__Host-${SESSION_COOKIE}`;

const cookie = (name: string, token: string, secure: string): string =>
  `${name}=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${token ? SESSION_MS / 1000 : 0}${secure}`;

/** The session cookie; an empty token removes it. Over HTTPS, also removes the cookie with the former name. */
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

/** Compares origins regardless of case and default port. */
const isOwnOrigin = (origin: string, base: string): boolean =>
  URL.canParse(base) && new URL(base).origin === origin.toLowerCase();

/** Whether the browser's headers show that the request came from the dashboard. */
const isSameOrigin = (request: IncomingMessage, isTrustedProxy: IsTrustedProxy): boolean => {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined && site !== 'same-origin') return false;
  return origin === undefined
    ? site === 'same-origin'
    : isOwnOrigin(origin, originOf(request, isTrustedProxy).base);
};

const crossOriginError = (base: string) =>
  new ApiError('FORBIDDEN', `Cross-origin request rejected. Send the header Origin: ${base}.`);

/** A sign-in uses no cookie, so a program may send it without an origin, but not another site. */
export const assertNotCrossSite = (request: { headers: IncomingMessage['headers'] }, base: string): void => {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if ((origin !== undefined && !isOwnOrigin(origin, base)) || site === 'cross-site')
    throw crossOriginError(base);
};

/** Authenticates users by session cookie. Requests that change something must come from the dashboard. */
export const sessionGuards = (
  storage: Storage,
  isTrustedProxy: IsTrustedProxy,
): Pick<Guards, 'member' | 'owner'> => {
  const member = async (request: IncomingMessage): Promise<UserPrincipal> => {
    const token = tokenOf(request);
    const principal = token === '' ? undefined : await storage.run(findSession, null, { token });
    if (!principal) throw signInRequired();
    if (!READING.has(request.method ?? '') && !isSameOrigin(request, isTrustedProxy))
      throw crossOriginError(originOf(request, isTrustedProxy).base);
    return principal;
  };
  const owner = async (request: IncomingMessage): Promise<UserPrincipal> => {
    const principal = await member(request);
    if (principal.role === 'owner') return principal;
    throw new ApiError('FORBIDDEN', 'Owner access required.');
  };
  return { member, owner };
};
