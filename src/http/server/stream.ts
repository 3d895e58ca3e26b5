import type { ServerResponse } from 'node:http';

/** How fast a reader must be: it has this time for each portion, counted only while the service waits for the reader. */
export interface MinReadRate {
  readonly portionBytes: number;
  readonly portionMs: number;
}

/** Some 17 KiB per second. */
const PACE: MinReadRate = { portionBytes: 524_288, portionMs: 30_000 };

/** Why a stream ended before its last piece. */
export type StreamEnd = 'complete' | 'client left' | 'client too slow';

/** Who leaves after so long without taking anything, or is cut off as stalled (see connections.ts), was too slow. */
const STALLED_MS = 5_000;

/** Resolves when the system has taken what was written, or says why it did not. */
const drained = (response: ServerResponse, ms: number): Promise<StreamEnd> =>
  new Promise((resolve) => {
    const began = performance.now();
    const settle = (end: StreamEnd) => {
      clearTimeout(timer);
      response.off('drain', onDrain).off('close', onClose);
      resolve(end);
    };
    const onDrain = () => settle('complete');
    const onClose = () => settle(performance.now() - began >= STALLED_MS ? 'client too slow' : 'client left');
    const timer = setTimeout(settle, ms, 'client too slow').unref();
    response.on('drain', onDrain).on('close', onClose);
    if (response.destroyed) onClose();
  });

/** Sends the pieces of a body. The next piece is made only after the system has taken the last one, so that a slow reader
 *  makes the service hold one piece; a reader below the pace is cut off. A stream that is idle because it has nothing
 *  to send may stay so. */
export const streamTo = async (
  response: ServerResponse,
  pieces: AsyncIterable<string>,
  { portionBytes, portionMs }: MinReadRate = PACE,
): Promise<StreamEnd> => {
  let taken = 0;
  let waitedMs = 0;
  for await (const piece of pieces) {
    if (response.destroyed) return 'client left';
    const began = performance.now();
    if (!response.write(piece)) {
      const end = await drained(response, portionMs - waitedMs);
      if (end !== 'complete') {
        response.destroy();
        return end;
      }
    }
    waitedMs += performance.now() - began;
    taken += Buffer.byteLength(piece);
    if (taken >= portionBytes) [taken, waitedMs] = [0, 0];
  }
  response.end();
  return 'complete';
};
