import type { RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { markFirstRequest } from '../pipeline/connection.ts';

/** The state of a connection on which a client may send requests before it has the responses to earlier ones. */
interface Pipeline {
  /** The responses that are not finished, oldest first. Only the first one's request runs. Finished ones are removed by the
   *  next request: an event for each response would cost a tenth of a short request. */
  readonly open: ServerResponse[];
  /** Whether the connection has received data that is not HTTP. */
  isInvalid: boolean;
}

const key = Symbol('pipeline');
type Pipelined = Duplex & { [key]?: Pipeline };

const pipelineOf = (socket: Pipelined): Pipeline => {
  socket[key] ??= { open: [], isInvalid: false };
  return socket[key];
};

/** How many requests may wait on a connection. A client that sends more is disconnected: each takes up to 12 KB of memory,
 *  most of it headers. */
const MAX_WAITING = 10;

/** Runs pipelined requests one after the other: a connection has at most one running request, and a read sees what a write
 *  before it has written. A request is not started when its response could not be sent. */
export const oneAtATime =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    const socket: Pipelined = request.socket;
    if (!socket[key]) markFirstRequest(request, response);
    const { open, isInvalid } = pipelineOf(socket);
    if (isInvalid) return;
    while (open[0]?.writableFinished) open.shift();
    open.push(response);
    const start = () => {
      if (socket.writable) listener(request, response);
    };
    const previous = open.at(-2);
    if (!previous) start();
    else if (open.length > 1 + MAX_WAITING) socket.destroy();
    // Requests of other connections come in between, even if the system accepts all responses immediately.
    else previous.once('close', () => setImmediate(start));
  };

/** Calls back after the responses to all complete requests on the connection, and only for its first invalid data: every
 *  chunk behind it is an error too. */
export const afterOpenResponses = (socket: Pipelined, respond: () => void): void => {
  const pipeline = pipelineOf(socket);
  if (pipeline.isInvalid) return;
  pipeline.isInvalid = true;
  const next = () => {
    const newest = pipeline.open.findLast(({ writableFinished, req }) => !writableFinished && req.complete);
    if (newest) newest.once('close', next);
    else if (socket.writable) respond();
    else socket.destroy();
  };
  next();
};
