import type { IncomingMessage } from 'node:http';
import type { Storage } from '../../db/storage.ts';
import { originOf } from '../../http/pipeline/request-origin.ts';
import { conflict, forbidden } from '../../lib/errors.ts';
import type { IsTrustedProxy } from '../../lib/ip-address.ts';
import type { UserPrincipal } from './principal.ts';
import { currentToken } from './session.cookies.ts';
import { findSession, signInRequired } from './session.service.ts';

const READING = new Set(['GET', 'HEAD']);

/** Compares origins regardless of case and default port. */
export const isOwnOrigin = (origin: string, base: string): boolean =>
  URL.canParse(base) && new URL(base).origin === origin.toLowerCase();

/** Whether the browser's headers show that the request came from the dashboard. */
const isSameOrigin = (request: IncomingMessage, isTrustedProxy: IsTrustedProxy): boolean => {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined && site !== 'same-origin') return false;
  return origin === undefined
    ? site === 'same-origin'
    : isOwnOrigin(origin, originOf(request, isTrustedProxy).base);
};

/** The headers that a proxy in front of Roster probably does not send. */
const proxyHint = (origin: string | undefined, base: string): string => {
  if (origin === undefined || !URL.canParse(origin) || !URL.canParse(base)) return '';
  const [sent, own] = [new URL(origin), new URL(base)];
  const missing = [
    ...(sent.host === own.host ? [] : [`Host: ${sent.host}`]),
    ...(sent.protocol === own.protocol ? [] : [`X-Forwarded-Proto: ${sent.protocol.slice(0, -1)}`]),
  ];
  const trust = sent.protocol === own.protocol ? '' : ', and Roster must trust it (TRUST_PROXY)';
  return missing.length === 0
    ? ''
    : ` If this is the address of your reverse proxy, the proxy must send ${missing.join(' and ')}${trust}.`;
};

const crossOriginError = ({ origin }: IncomingMessage['headers'], base: string) =>
  forbidden(`Cross-origin request rejected. Send the header Origin: ${base}.${proxyHint(origin, base)}`);

/** A sign-in uses no cookie, so a program may send it without an origin, but not another site. */
export const assertNotCrossSite = (request: { headers: IncomingMessage['headers'] }, base: string): void => {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if ((origin !== undefined && !isOwnOrigin(origin, base)) || site === 'cross-site')
    throw crossOriginError(request.headers, base);
};

/** A page names the user that it was loaded for. After a switch in another tab it must not read or change the other workspace. */
const assertExpectedUser = ({ headers }: IncomingMessage, { actor }: UserPrincipal): void => {
  const expected = headers['roster-user'];
  if (expected !== undefined && expected !== actor)
    throw conflict('You switched to another workspace or user. Reload the page.', {
      current_user_id: actor,
    });
};

/** Authenticates users by session cookie. Requests that change something must come from the dashboard. */
export const sessionGuard =
  (storage: Pick<Storage, 'run'>, isTrustedProxy: IsTrustedProxy) =>
  async (request: IncomingMessage): Promise<UserPrincipal> => {
    const token = currentToken(request.headers);
    const principal = token === '' ? undefined : await storage.run(findSession, null, { token });
    if (!principal) throw signInRequired();
    assertExpectedUser(request, principal);
    if (!READING.has(request.method ?? '') && !isSameOrigin(request, isTrustedProxy))
      throw crossOriginError(request.headers, originOf(request, isTrustedProxy).base);
    return principal;
  };
