import { connect, type Socket } from 'node:net';
import type { Load, LoadResult } from './load.ts';

type OnResponse = (connection: Connection, status: number, ms: number) => void;

/** A connection with at most one request in flight. */
class Connection {
  readonly #socket: Socket;
  readonly #onResponse: OnResponse;
  #sent = 0;
  #remaining = 0;
  #head = '';
  isBroken = false;

  constructor(url: URL, onResponse: OnResponse, onEnd: (connection: Connection) => void) {
    this.#onResponse = onResponse;
    this.#socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
    this.#socket.on('data', (chunk: Buffer) => this.#read(chunk));
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => {
      this.isBroken = true;
      onEnd(this);
    });
  }

  send(bytes: string) {
    this.#sent = performance.now();
    this.#socket.write(bytes);
  }

  end() {
    this.#socket.destroy();
  }

  #read(chunk: Buffer) {
    if (this.#remaining > 0) return this.#receive(chunk.length);
    this.#head += chunk.toString('latin1');
    const end = this.#head.indexOf('\r\n\r\n');
    if (end === -1) return;
    this.#remaining = Number(/content-length: (\d+)/i.exec(this.#head)?.[1]) + end + 4;
    this.#receive(this.#head.length);
  }

  #receive(length: number) {
    this.#remaining -= length;
    if (this.#remaining > 0) return;
    const status = Number(this.#head.slice(9, 12));
    this.#head = '';
    this.#onResponse(this, status, performance.now() - this.#sent);
  }
}

const p99 = (times: number[]) =>
  times.sort((one, other) => one - other)[Math.floor(times.length * 0.99)] ?? 0;

const run = ({ url, requests, connections, seconds, rate }: Load, report: (result: LoadResult) => void) => {
  const target = new URL(url);
  const began = performance.now();
  const responses: Record<string, number> = {};
  const times = { good: [] as number[], shed: [] as number[] };
  const active = new Set<Connection>();
  let free: Connection[] = [];
  let [sent, good, unsent, broken, isDue, ended] = [0, 0, 0, 0, false, false];

  const next = (connection: Connection) => connection.send(requests[sent++ % requests.length] as string);
  const settle = (connection: Connection) => (rate === undefined ? next(connection) : free.push(connection));
  const onResponse = (connection: Connection, status: number, ms: number) => {
    if (ended) return;
    responses[status] = (responses[status] ?? 0) + 1;
    if (status < 300) {
      if (performance.now() - began > 1_000) good++;
      times.good.push(ms);
    } else if (status === 503) times.shed.push(ms);
    if (isDue) end();
    else settle(connection);
  };
  const onEnd = (connection: Connection) => {
    active.delete(connection);
    if (ended) return;
    if (!free.includes(connection)) broken++;
    openConnection();
  };
  const openConnection = () => {
    const connection = new Connection(target, onResponse, onEnd);
    active.add(connection);
    settle(connection);
  };
  for (let count = 0; count < connections; count++) openConnection();

  let scheduled = 0;
  const timer =
    rate === undefined
      ? undefined
      : setInterval(() => {
          free = free.filter(({ isBroken }) => !isBroken);
          for (const due = ((performance.now() - began) / 1000) * rate; scheduled < due; scheduled++) {
            const connection = free.shift();
            if (connection) next(connection);
            else unsent++;
          }
        }, 5);
  const end = () => {
    ended = true;
    clearInterval(timer);
    for (const connection of active) connection.end();
    const goodput = good / (seconds - 1);
    report({ responses, goodput, unsent, broken, p99: { good: p99(times.good), shed: p99(times.shed) } });
  };
  setTimeout(() => {
    isDue = true;
    if (Object.keys(responses).length > 0) end();
  }, seconds * 1000);
};

process.once('message', (load: Load) => run(load, (result) => process.send?.(result, () => process.exit())));
