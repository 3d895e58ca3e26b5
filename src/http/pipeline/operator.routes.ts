import { withTimeout } from '../../lib/concurrency.ts';
import { ApiError, faultReasons, unavailable } from '../../lib/errors.ts';
import type { ServiceState } from '../../lib/service-state.ts';
import { type HttpResponse, open, route } from './route.ts';

export interface OperatorOptions {
  /** The metrics in the text format of Prometheus. */
  readonly scrape: () => Promise<string>;
  readonly ping: () => Promise<void>;
  readonly state: Pick<ServiceState, 'isReady' | 'outage'>;
}

const PING_TIMEOUT_MS = 2_000;

const healthy = (): HttpResponse => ({ status: 200, body: '{"status":"ok"}' });

/** Concurrent calls share one run, because the routes are public. */
const shared = <T>(run: () => Promise<T>): (() => Promise<T>) => {
  let running: Promise<T> | undefined;
  return () => {
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  };
};

/** Routes for monitoring. */
export const operatorRoutes = ({ scrape, ping, state }: OperatorOptions) => {
  const pingOnce = shared(ping);
  const scrapeOnce = shared(scrape);
  return {
    alive: route({ access: open, handle: healthy }),

    ready: route({
      access: open,
      handle: async () => {
        if (!state.isReady()) throw unavailable('The service is stopping.');
        const refuse = (error?: unknown): never => {
          if (state.outage) throw unavailable(faultReasons[state.outage]);
          // It says more than a fault.
          throw error instanceof ApiError && !error.fault ? error : unavailable(faultReasons.no_answer);
        };
        if (state.outage) refuse();
        await withTimeout(pingOnce().catch(refuse), PING_TIMEOUT_MS, refuse);
        return healthy();
      },
    }),

    metrics: route({
      access: open,
      handle: async () => ({
        status: 200,
        body: await scrapeOnce(),
        type: 'text/plain; version=0.0.4; charset=utf-8',
      }),
    }),
  };
};
