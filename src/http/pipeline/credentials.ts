import type { IncomingMessage } from 'node:http';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import type { HeaderSink } from './rate-limit.ts';
import type { Access } from './route.ts';

/** Returns the principal of a request, or throws. It runs before the query and the body are read, and may add headers to
 *  the response. */
export type Guard = (
  request: IncomingMessage,
  params: Readonly<Record<string, string>>,
  response: HeaderSink,
  access: Access,
) => MaybePromise<unknown>;

/** By the kind of access. */
export type Guards = Readonly<Record<string, Guard>>;

const BEARER = /^Bearer +([\x21-\x7e]+) *$/i;

export const bearerOf = ({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined =>
  BEARER.exec(headers.authorization ?? '')?.[1];

/** Whether the request has a bearer token, valid or not. The password of a reverse proxy is none. */
export const isBearer = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  /^Bearer\b/i.test(headers.authorization ?? '');
