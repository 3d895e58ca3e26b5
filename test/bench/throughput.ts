import { readdirSync, readFileSync } from 'node:fs';
import { runAutocannon } from '../../bench/autocannon.ts';
import type { Server } from '../../bench/server.ts';
import type { Traffic } from '../../bench/works.ts';

/** The CPU time of each thread of a process, in seconds. */
const cpuSecondsByThread = (pid: number): Map<string, number> =>
  new Map(
    readdirSync(`/proc/${pid}/task`).map((thread) => {
      const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
      return [thread, Number(nanoseconds) / 1e9];
    }),
  );

/** Shorter rounds differ by half beside other load. */
const SECONDS = 0.4;

let first = 100_000_000;

/** The requests per second that a server could process if its busiest thread had a core to itself. Unlike the rate
 *  that a client sees, this does not depend on other load. */
export const throughputOf = async ({ url, pid }: Server, traffic: Traffic): Promise<number> => {
  first += 1_000_000;
  const before = cpuSecondsByThread(pid);
  const { requests, errors } = await runAutocannon({
    ...traffic,
    url,
    connections: 16,
    seconds: SECONDS,
    first,
  });
  if (errors > 0) throw new Error(`${errors} requests ${traffic.method} ${traffic.paths[0]} failed`);
  const worked = [...cpuSecondsByThread(pid)].map(([thread, seconds]) => seconds - (before.get(thread) ?? 0));
  return requests / Math.max(...worked);
};
