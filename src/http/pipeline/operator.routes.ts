import { ApiError } from '../../lib/errors.ts';
import type { Metrics } from './metrics.ts';
import { type HttpResponse, route } from './route.ts';

export interface OperatorOptions {
  readonly metrics: Metrics;
  readonly ping: () => Promise<void>;
  readonly isReady: () => boolean;
}

const PING_TIMEOUT_MS = 2_000;

const healthy = (): HttpResponse => ({ status: 200, body: '{"status":"ok"}' });

const notReady = (message: string) => new ApiError('UNAVAILABLE', message, undefined, { 'Retry-After': '1' });

/** Routes for monitoring. */
export const operatorRoutes = ({ metrics, ping, isReady }: OperatorOptions) => {
  let pinging: Promise<void> | undefined;
  /** Concurrent probes share one query, because the route is public. */
  const pingOnce = () => {
    pinging ??= ping().finally(() => {
      pinging = undefined;
    });
    return pinging;
  };
  return {
    alive: route({ access: 'open', handle: healthy }),

    ready: route({
      access: 'open',
      handle: async () => {
        if (!isReady()) throw notReady('The service is stopping.');
        const signal = AbortSignal.timeout(PING_TIMEOUT_MS);
        const timeout = new Promise<never>((_, reject) =>
          signal.addEventListener('abort', reject, { once: true }),
        );
        await Promise.race([pingOnce(), timeout]).catch(() => {
          throw notReady('The database does not answer.');
        });
        return healthy();
      },
    }),

    metrics: route({
      access: 'open',
      handle: () => ({
        status: 200,
        body: metrics.render(),
        type: 'text/plain; version=0.0.4; charset=utf-8',
      }),
    }),
  };
};
