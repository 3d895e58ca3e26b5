import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Reads the longest block of the event loop in another process. */
export interface EventLoopMonitor {
  /** The environment variables for the process. */
  readonly environment: Readonly<Record<string, string>>;
  /** The longest block since the last call, in milliseconds of CPU time. */
  longestBlock(): Promise<number>;
}

export const monitorEventLoop = (): EventLoopMonitor => {
  const path = join(tmpdir(), `roster-turns-${randomBytes(6).toString('hex')}`);
  return {
    environment: {
      NODE_OPTIONS: `--import=${new URL('event-loop.preload.ts', import.meta.url).href}`,
      TURNS_SOCKET: path,
    },
    longestBlock: () =>
      new Promise((resolve, reject) => {
        let text = '';
        connect(path)
          .on('data', (chunk) => {
            text += chunk;
          })
          .on('error', reject)
          .on('end', () => resolve(Number(text)));
      }),
  };
};
