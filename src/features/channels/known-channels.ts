import { pickColumns } from '../../db/statement.ts';
import { ApiError, type Fault } from '../../lib/errors.ts';
import { describeError, type Log } from '../../lib/log.ts';
import { counter, type Metric } from '../../lib/metric.ts';
import type { Principal } from '../workspaces/principal.ts';
import type { Speech } from './channel.service.ts';
import type { ChannelRow } from './channel.store.ts';

/** What authenticates a request on a channel, and what its principal has. */
const COLUMNS = [
  'workspace_id',
  'id',
  'agent_id',
  'address',
  'secret_hash',
  'old_secret_hash',
  'old_secret_expires_at',
] as const;
export type KnownChannel = Pick<ChannelRow, (typeof COLUMNS)[number]>;

/** A runtime, which authenticates with the secret of its channel. */
export interface ChannelPrincipal extends Principal {
  readonly agent: string | null;
  readonly address: string;
  /** Whether the database could not be asked. */
  readonly degraded?: true;
}

interface Known {
  channel: KnownChannel;
  speech?: Speech | undefined;
}

const MAX_CHANNELS = 1_000;
/** How long a secret is accepted without another look-up, as that of an API key. */
const CACHE_MS = 500;
const MAX_ACCEPTED = 10_000;
/** Of instructions and configurations. */
const MAX_CHARACTERS = 16_777_216;

interface Options {
  /** Whether the database is known to be lost. */
  readonly isLost: () => boolean;
  readonly onFault: (fault: Fault) => void;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
}

const sizeOf = ({ speech }: Known): number =>
  speech ? speech.version.instructions.length + speech.version.config.length : 0;

/** What this thread knows of the channels that it has served, so that sessions start while the database is lost. It has no personal data,
 *  and accepts the secrets that were valid at a channel's last request that reached the database. */
export class KnownChannels {
  readonly #options: Options;
  /** The least recently used first. */
  readonly #channels = new Map<string, Known>();
  /** By the id in the path and the plain secret: hashing costs more than all else on the path of an accepted one. */
  readonly #accepted = new Map<string, { principal: ChannelPrincipal; until: number }>();
  #characters = 0;
  #started = 0;
  #isDegraded = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Whether the database need not be asked. */
  get isLost(): boolean {
    return this.#options.isLost();
  }

  /** Notes a channel as the database has it now. One that was not served before is noted only for an authenticated caller. */
  checked(id: string, channel: KnownChannel | undefined, isAuthenticated: boolean): void {
    const known = this.#channels.get(id);
    if (!channel) this.#forget(id);
    else if (known) known.channel = pickColumns(channel, COLUMNS);
    else if (isAuthenticated) this.#keep(id, { channel: pickColumns(channel, COLUMNS) });
  }

  /** Notes what the agent of a channel says now. */
  heard(id: string, speech: Speech): void {
    const known = this.#channels.get(id);
    if (!known) return;
    this.#forget(id);
    this.#keep(id, { ...known, speech });
  }

  /** The principal whose secret was accepted within the last half second. */
  accepted(credential: string): ChannelPrincipal | undefined {
    const { principal, until = 0 } = this.#accepted.get(credential) ?? {};
    return until > performance.now() ? principal : undefined;
  }

  accept(credential: string, principal: ChannelPrincipal, requestedAt: number): void {
    if (this.#accepted.size >= MAX_ACCEPTED) this.#accepted.clear();
    this.#accepted.set(credential, { principal, until: requestedAt + CACHE_MS });
  }

  find(id: string): KnownChannel | undefined {
    return this.#channels.get(id)?.channel;
  }

  /** What the channel's agent said last; undefined if it is no longer connected. */
  speechOf(id: string): Speech | undefined {
    const { channel, speech } = this.#channels.get(id) ?? {};
    return speech?.agent_id === channel?.agent_id ? speech : undefined;
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
  degraded(): void {
    this.#started++;
    if (!this.#isDegraded) this.#options.log.warn('sessions are degraded');
    this.#isDegraded = true;
  }

  /** Notes that a session was stored. */
  completed(): void {
    if (this.#isDegraded) this.#options.log.info('sessions are complete again', { degraded: this.#started });
    this.#isDegraded = false;
  }

  metrics(): Metric[] {
    return [
      counter(
        'roster_degraded_sessions_total',
        'Sessions that were started without the database.',
        this.#started,
      ),
    ];
  }

  #keep(id: string, known: Known): void {
    this.#channels.set(id, known);
    this.#characters += sizeOf(known);
    for (const oldest of this.#channels.keys()) {
      if (this.#channels.size <= MAX_CHANNELS && this.#characters <= MAX_CHARACTERS) break;
      this.#forget(oldest);
    }
  }

  #forget(id: string): void {
    const known = this.#channels.get(id);
    if (known) this.#characters -= sizeOf(known);
    this.#channels.delete(id);
  }
}
