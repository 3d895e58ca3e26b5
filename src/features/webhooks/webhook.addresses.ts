import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import type { ResolveHost } from '../../lib/resolve-host.ts';
import { fixedAddresses, type WebhookRules } from './webhook.url.ts';

/** The addresses of a host that may be reached; none if all are refused. */
export interface CheckedAddresses {
  readonly addresses: readonly LookupAddress[];
  /** The same for the same addresses. */
  readonly key: string;
  readonly ttlMs: number;
}

const MAX_TTL_MS = 30_000;
const MAX_HOSTS = 1_000;

/** Returns a function that resolves a host and checks every address. Results are reused for the time that DNS allows, at most 30
 *  seconds. */
export const addressCheck = (resolve: ResolveHost, { mayReach }: WebhookRules) => {
  const entries = new Map<string, { readonly checked: Promise<CheckedAddresses>; expiresAt: number }>();

  const load = async (host: string): Promise<CheckedAddresses> => {
    const fixed = fixedAddresses(host)?.map((address) => ({ address, ttl: MAX_TTL_MS / 1_000 }));
    const resolved = fixed ?? (await resolve(host));
    const reachable = resolved.map(({ address }) => address).filter(mayReach);
    return {
      addresses: reachable.map((address) => ({ address, family: isIP(address) })),
      key: reachable.sort().join(),
      ttlMs: Math.min(MAX_TTL_MS, ...resolved.map(({ ttl }) => ttl * 1_000)),
    };
  };

  return (host: string): Promise<CheckedAddresses> => {
    const now = performance.now();
    const known = entries.get(host);
    if (known && known.expiresAt > now) return known.checked;
    // Requests that arrive while DNS is asked share its answer.
    const entry = { checked: load(host), expiresAt: now + MAX_TTL_MS };
    const expireIn = (ms: number) => {
      entry.expiresAt = performance.now() + ms;
    };
    entry.checked.then(
      ({ ttlMs }) => expireIn(ttlMs),
      () => expireIn(0),
    );
    // The host moves to the end of the map, so that the first one is the oldest.
    entries.delete(host);
    entries.set(host, entry);
    if (entries.size > MAX_HOSTS) entries.delete(entries.keys().next().value as string);
    return entry.checked;
  };
};
