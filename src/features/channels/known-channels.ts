import { ApiError, type Fault } from '../../lib/errors.ts';
import { describeError, type Log } from '../../lib/log.ts';
import { counter, type Metric } from '../../lib/metric.ts';
import type { Principal } from '../workspaces/principal.ts';
import type { AdapterName } from './channel.schema.ts';
import type { RenderableVersion } from './channel.service.ts';
import type { ChannelRow } from './channel.store.ts';

/** A runtime, which authenticates with the secret of its channel. */
export interface ChannelPrincipal extends Principal {
  readonly agent: string | null;
  readonly address: string;
  readonly adapter: AdapterName;
  /** Whether the database could not be asked. */
  readonly degraded?: true;
}

interface Known {
  readonly channel: ChannelRow;
  /** When it was requested from the database. */
  readonly readAt: number;
  readonly version?: RenderableVersion | undefined;
}

/** With versions of 5,000 characters, which are long ones, these take 3 MB. With the longest ones, of 50,000 characters with four
 *  bytes each and a configuration of 64 KiB, they take 80 MB on each serving thread. */
const MAX_CHANNELS = 300;
/** How long a channel is used without another look-up, as an API key. */
const CACHE_MS = 500;

interface Options {
  /** Whether the database is known to be lost. */
  readonly isLost: () => boolean;
  readonly onFault: (fault: Fault) => void;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
}

/** What this thread knows of the channels that it has served, so that sessions start while the database is lost. It has no personal data,
 *  and accepts the secrets that were valid at a channel's last request that reached the database. */
export class KnownChannels {
  readonly #options: Options;
  /** The least recently used first. */
  readonly #channels = new Map<string, Known>();
  #started = 0;
  #ignored = 0;
  #isDegraded = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Whether the database need not be asked. */
  get isLost(): boolean {
    return this.#options.isLost();
  }

  /** Remembers a channel as the database had it at `readAt`. One that was not served before is remembered only for an authenticated
   *  caller. */
  update(id: string, channel: ChannelRow | undefined, readAt: number, isAuthenticated: boolean): void {
    const known = this.#channels.get(id);
    if (!channel) this.#channels.delete(id);
    // Of two reads that overlap, the one that began later.
    else if (known ? known.readAt <= readAt : isAuthenticated)
      this.#replace(id, { ...known, channel, readAt });
  }

  /** Remembers what the agent of a channel says now. */
  setVersion(id: string, version: RenderableVersion): void {
    const known = this.#channels.get(id);
    if (known) this.#replace(id, { ...known, version });
  }

  find(id: string): ChannelRow | undefined {
    return this.#channels.get(id)?.channel;
  }

  /** A channel that was read within the last half second. */
  findFresh(id: string): ChannelRow | undefined {
    const { channel, readAt = 0 } = this.#channels.get(id) ?? {};
    return readAt + CACHE_MS > performance.now() ? channel : undefined;
  }

  /** What the channel's agent said last; undefined if it is no longer connected. */
  versionOf(id: string): RenderableVersion | undefined {
    const { channel, version } = this.#channels.get(id) ?? {};
    return version?.agent_id === channel?.agent_id ? version : undefined;
  }

  /** Whether an error is that of a database that cannot be used, or a bug. A request that is wrong stays wrong. */
  canReplace(error: unknown): boolean {
    if (error instanceof ApiError) {
      if (error.fault) this.#options.onFault(error.fault);
      return error.code === 'UNAVAILABLE';
    }
    this.#options.log.error('session failed', describeError(error));
    return true;
  }

  /** Counts a degraded session, and logs the first one. */
  countDegraded(): void {
    this.#started++;
    if (!this.#isDegraded) this.#options.log.warn('sessions are degraded');
    this.#isDegraded = true;
  }

  /** Logs that sessions are stored again. */
  endDegraded(): void {
    if (this.#isDegraded) this.#options.log.info('sessions are complete again', { degraded: this.#started });
    this.#isDegraded = false;
  }

  /** Counts a platform's message that means nothing to Roster. */
  countIgnored(): void {
    this.#ignored++;
  }

  metrics(): Metric[] {
    return [
      counter(
        'roster_degraded_sessions_total',
        'Sessions that were started without the database.',
        this.#started,
      ),
      counter(
        'roster_ignored_platform_messages_total',
        'Messages of voice platforms that mean nothing to Roster.',
        this.#ignored,
      ),
    ];
  }

  #replace(id: string, known: Known): void {
    this.#channels.delete(id);
    this.#channels.set(id, known);
    const [oldest] = this.#channels.keys();
    if (oldest !== undefined && this.#channels.size > MAX_CHANNELS) this.#channels.delete(oldest);
  }
}
