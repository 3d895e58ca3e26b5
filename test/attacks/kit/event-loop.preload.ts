import { createServer } from 'node:net';
import { isMainThread } from 'node:worker_threads';

/** Loaded into the measured service: records how long its main thread runs without returning to the event loop. It
 *  counts CPU time, so that other programs on the machine do not matter. A client of the socket reads the longest
 *  block since the last read, in milliseconds. */
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
