import { readdirSync, readFileSync } from 'node:fs';

/** The processor time of each thread of a process in microseconds, by thread id. The first thread has the id of the process. */
export const threadTimes = (pid: number): Map<number, number> =>
  new Map(
    readdirSync(`/proc/${pid}/task`).map((thread) => {
      const text = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8');
      return [Number(thread), Number(text.split(' ')[0]) / 1_000];
    }),
  );

/** The processor time of all threads of a process in microseconds. */
export const processorTime = (pid: number): number =>
  [...threadTimes(pid).values()].reduce((sum, time) => sum + time, 0);
