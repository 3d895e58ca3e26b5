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

interface Entry {
  readonly checked: Promise<CheckedAddresses>;
  expiresAt: number;
}

const MAX_TTL_MS = 30_000;
const MAX_HOSTS = 1_000;

/** Resolves hosts and checks every address. Results are reused for the time that DNS allows, at most 30 seconds. */
export class WebhookAddresses {
  readonly #entries = new Map<string, Entry>();
  readonly #resolve: ResolveHost;
  readonly #mayReach: WebhookRules['mayReach'];

  constructor(resolve: ResolveHost, { mayReach }: WebhookRules) {
    this.#resolve = resolve;
    this.#mayReach = mayReach;
  }

  of(host: string): Promise<CheckedAddresses> {
    const now = performance.now();
    const known = this.#entries.get(host);
    if (known && known.expiresAt > now) return known.checked;
    // Requests that arrive while DNS is asked share its answer.
    const entry: Entry = { checked: this.#load(host), expiresAt: now + MAX_TTL_MS };
    entry.checked.then(
      ({ ttlMs }) => {
        entry.expiresAt = performance.now() + ttlMs;
      },
      () => {
        entry.expiresAt = 0;
      },
    );
    // The host moves to the end of the map, so that the first one is the oldest.
    this.#entries.delete(host);
    this.#entries.set(host, entry);
    if (this.#entries.size > MAX_HOSTS) this.#entries.delete(this.#entries.keys().next().value as string);
    return entry.checked;
  }

  async #load(host: string): Promise<CheckedAddresses> {
    const fixed = fixedAddresses(host)?.map((address) => ({ address, ttl: MAX_TTL_MS / 1_000 }));
    const resolved = fixed ?? (await this.#resolve(host));
    const addresses = resolved
      .filter(({ address }) => this.#mayReach(address))
      .map(({ address }) => ({ address, family: isIP(address) }));
    return {
      addresses,
      key: addresses
        .map(({ address }) => address)
        .sort()
        .join(),
      ttlMs: Math.min(MAX_TTL_MS, ...resolved.map(({ ttl }) => ttl * 1_000)),
    };
  }
}
