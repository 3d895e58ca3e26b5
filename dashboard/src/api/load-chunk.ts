import { connection } from './connection.ts';

/** The URL of the chunk in the error of a failed import, where the browser reports it. */
const urlIn = (error: unknown): string | undefined =>
  error instanceof Error ? error.message.match(/https?:\/\/\S+/)?.[0] : undefined;

const waitUntilReachable = async (): Promise<void> => {
  if (!navigator.onLine) connection.markLost();
  await connection.whenReachable();
};

/** Loads a chunk on demand. While the service is unreachable it waits, so that the current page and its input stay.
 *  Fails only if the service responds without the file, such as after an upgrade. Browsers cache a failed import, so
 *  a retry uses another URL. */
export const loadChunk = async <T>(load: () => Promise<T>): Promise<T> => {
  let url: string | undefined;
  for (let retries = 0; ; retries++) {
    await waitUntilReachable();
    try {
      return await (url ? import(/* @vite-ignore */ `${url}?retry=${retries}`) : load());
    } catch (error) {
      const isReachable = await connection.check();
      if (isReachable && retries > 0) throw error;
      url ??= urlIn(error);
    }
  }
};
