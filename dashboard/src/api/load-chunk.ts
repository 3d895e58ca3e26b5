import { connection } from './connection.ts';

/** Loads code when it is needed. Without a connection it waits for one: what is on the page stays, and nothing typed is lost.
 *  Fails only where the service answers and does not have the file, as after a newer version was installed. */
export const loadChunk = async <T>(load: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await load();
    } catch (error) {
      if (await connection.isThere()) throw error;
      await connection.back();
    }
  }
};
