import type { Config } from '../config/config.ts';
import type { Log } from '../lib/log.ts';
import type { Tracing } from '../lib/tracing.ts';

/** The SDK is a chunk of its own and loaded only if tracing is on. */
export const loadTracing = async (
  { tracing }: Pick<Config, 'tracing'>,
  log: Log,
): Promise<Tracing | undefined> => {
  if (!tracing) return undefined;
  const { startTracing } = await import('./opentelemetry.ts');
  return startTracing(tracing, log);
};
