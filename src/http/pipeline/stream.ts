import type { ServerResponse } from 'node:http';

/** A client must read each portion in this time, counted only while the service waits for the client: about 17 KiB per second. */
const MIN_READ_RATE = { portionBytes: 524_288, portionMs: 30_000 };

export type StreamEnd = 'complete' | 'client left' | 'client too slow';

/** A connection that closes after this long without reading counts as too slow, not as left (see endStalled). */
const STALLED_MS = 5_000;

/** Waits until the socket can take more data. */
const waitForDrain = (response: ServerResponse, ms: number): Promise<StreamEnd> =>
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

/** Sends a body in chunks. Produces the next chunk only after the last one was taken, so that a slow client costs the
 *  memory of one chunk. Disconnects a client below the minimum rate. A stream may be idle while it has nothing to send. */
export const streamTo = async (
  response: ServerResponse,
  chunks: AsyncIterable<string | Buffer>,
  { portionBytes, portionMs } = MIN_READ_RATE,
): Promise<StreamEnd> => {
  let sentBytes = 0;
  let waitedMs = 0;
  for await (const chunk of chunks) {
    if (response.destroyed) return 'client left';
    const began = performance.now();
    if (!response.write(chunk)) {
      const end = await waitForDrain(response, portionMs - waitedMs);
      if (end !== 'complete') {
        response.destroy();
        return end;
      }
    }
    waitedMs += performance.now() - began;
    sentBytes += Buffer.byteLength(chunk);
    if (sentBytes >= portionBytes) [sentBytes, waitedMs] = [0, 0];
  }
  response.end();
  return 'complete';
};
