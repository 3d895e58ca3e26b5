import { createServer } from 'node:net';
import { isMainThread } from 'node:worker_threads';

/** Loaded into a service that is measured: how long the serving thread computes without letting anything else run. It counts
 *  the time that the thread had a processor, not the time that passed, so that other programs on the machine do not
 *  matter. A client of the socket reads the longest turn since the last time, in milliseconds. */
const serveLongestBlock = (path: string) => {
  const usedMs = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  let longest = 0;
  let last = usedMs();
  const measure = () => {
    const now = usedMs();
    longest = Math.max(longest, now - last);
    last = now;
  };
  setInterval(measure, 1).unref();
  createServer((socket) => {
    measure();
    socket.end(String(longest));
    longest = 0;
  })
    .listen(path)
    .unref();
};

if (isMainThread && process.env.TURNS_SOCKET) serveLongestBlock(process.env.TURNS_SOCKET);
