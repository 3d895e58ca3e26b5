import { withTimeout } from '../../lib/concurrency.ts';
import { ApiError, type FaultReason, faultReasons, unavailable } from '../../lib/errors.ts';
import { type HttpResponse, open, route } from './route.ts';

export interface OperatorOptions {
  /** The metrics in the text format of Prometheus. */
  readonly scrape: () => Promise<string>;
  readonly ping: () => Promise<void>;
  readonly isReady: () => boolean;
  /** Why the database cannot be used, if that is known. */
  readonly outage: () => FaultReason | undefined;
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
export const operatorRoutes = ({ scrape, ping, isReady, outage }: OperatorOptions) => {
  const pingOnce = shared(ping);
  const scrapeOnce = shared(scrape);
  return {
    alive: route({ access: open, handle: healthy }),

    ready: route({
      access: open,
      handle: async () => {
        if (!isReady()) throw unavailable('The service is stopping.');
        const refuseDuringOutage = () => {
          const reason = outage();
          if (reason) throw unavailable(faultReasons[reason]);
        };
        refuseDuringOutage();
        const refuse = (error?: unknown): never => {
          refuseDuringOutage();
          // It says more than a fault.
          throw error instanceof ApiError && !error.fault ? error : unavailable(faultReasons.no_answer);
        };
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
