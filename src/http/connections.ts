import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Files that are no connections: the database with its log, the lines to a server, threads, standard streams. */
const OTHER_FILES = 256;
/** More would cost more memory than a single process should need. */
const MOST = 16_384;

/** How many files the system lets this process have open. */
const fileLimit = (): number => {
  const report = Object.assign(process.report, { excludeNetwork: true }).getReport();
  const { userLimits } = report as unknown as {
    userLimits?: { open_files?: { soft: number | 'unlimited' } };
  };
  const files = Number(userLimits?.open_files?.soft);
  return files > 0 ? files : Number.POSITIVE_INFINITY;
};

/** How many connections are served, and how many more there may be that are only told to come again. */
export const connectionLimits = (files = fileLimit()): { served: number; told: number } => {
  const room = Math.max(Math.floor(files / 2), files - OTHER_FILES);
  const served = Math.min(MOST, Math.floor((room * 15) / 16));
  return { served, told: Math.min(room - served, 1_024) };
};

/** Node looks twice at an answer of which nothing is taken, so that it ends after this time or twice as long. */
const STALLED_MS = 6_000;

/** Between two requests, node gives a connection the longer time of one that is kept. */
const isResting = ({ timeout = 0 }: Socket) => timeout > STALLED_MS;

const CLEAR_EVERY_MS = 1_000;

const excess = new WeakSet<Socket>();

/** Whether a request came over a connection that is one too many (see shedding.ts). */
export const isExcess = ({ socket }: IncomingMessage): boolean => excess.has(socket);

/** Keeps the number of connections below what the system can hold. Requests over those above it are turned away, and those
 *  that rest make room; beyond that they are not taken at all. */
export const limitConnections = (
  server: Server,
  event: 'connection' | 'secureConnection',
  { served, told } = connectionLimits(),
): void => {
  const open = new Set<Socket>();
  let cleared = Number.NEGATIVE_INFINITY;
  server.maxConnections = served + told;
  server.on(event, (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    if (open.size <= served) return;
    excess.add(socket);
    if (performance.now() - cleared < CLEAR_EVERY_MS) return;
    cleared = performance.now();
    for (const each of open) if (isResting(each)) each.destroy();
  });
};

/** Ends connections on which an answer waits and nothing of it is taken, and those that rest for longer than they may. The
 *  others may be silent: whoever sends slowly has time-outs of its own (see input.ts), and an answer may take its time. */
export const endStalled = (server: Server): void => {
  server.timeout = STALLED_MS;
  server.on('timeout', (socket) => {
    if (isResting(socket) || socket.writableLength > 0) socket.destroy();
  });
};
