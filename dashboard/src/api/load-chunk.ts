import { connection } from './connection.ts';

/** Loads a chunk on demand. While the service is unreachable it waits, so that the current page and its input stay.
 *  Fails only if the service responds without the file, such as after an upgrade. */
export const loadChunk = async <T>(load: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await load();
    } catch (error) {
      if (await connection.check()) throw error;
      await connection.whenReachable();
    }
  }
};
