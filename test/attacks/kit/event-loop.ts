import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How the longest turn of the event loop in another process is read. */
export interface EventLoopMonitor {
  /** What the process needs in its environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** The longest turn since the last look, in milliseconds of processor time. */
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
