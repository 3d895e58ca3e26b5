import { connect, type Socket } from 'node:net';
import type { Load, LoadResult } from './load.ts';

type OnAnswer = (line: Line, status: number, ms: number) => void;

/** One connection with at most one request under way. */
class Line {
  readonly #socket: Socket;
  readonly #onAnswer: OnAnswer;
  #sent = 0;
  #missing = 0;
  #head = '';
  isBroken = false;

  constructor(url: URL, onAnswer: OnAnswer, onEnd: (line: Line) => void) {
    this.#onAnswer = onAnswer;
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
    if (this.#missing > 0) return this.#took(chunk.length);
    this.#head += chunk.toString('latin1');
    const end = this.#head.indexOf('\r\n\r\n');
    if (end === -1) return;
    this.#missing = Number(/content-length: (\d+)/i.exec(this.#head)?.[1]) + end + 4;
    this.#took(this.#head.length);
  }

  #took(length: number) {
    this.#missing -= length;
    if (this.#missing > 0) return;
    const status = Number(this.#head.slice(9, 12));
    this.#head = '';
    this.#onAnswer(this, status, performance.now() - this.#sent);
  }
}

const p99 = (times: number[]) =>
  times.sort((one, other) => one - other)[Math.floor(times.length * 0.99)] ?? 0;

const run = ({ url, requests, connections, seconds, rate }: Load, report: (result: LoadResult) => void) => {
  const target = new URL(url);
  const began = performance.now();
  const answers: Record<string, number> = {};
  const times = { good: [] as number[], shed: [] as number[] };
  const lines = new Set<Line>();
  let free: Line[] = [];
  let [sent, good, unsent, broken, ended] = [0, 0, 0, 0, false];

  const next = (line: Line) => line.send(requests[sent++ % requests.length] as string);
  const settle = (line: Line) => (rate === undefined ? next(line) : free.push(line));
  const onAnswer = (line: Line, status: number, ms: number) => {
    if (ended) return;
    answers[status] = (answers[status] ?? 0) + 1;
    if (status < 300) {
      if (performance.now() - began > 1_000) good++;
      times.good.push(ms);
    } else if (status === 503) times.shed.push(ms);
    settle(line);
  };
  const onEnd = (line: Line) => {
    lines.delete(line);
    if (ended) return;
    if (!free.includes(line)) broken++;
    open();
  };
  const open = () => {
    const line = new Line(target, onAnswer, onEnd);
    lines.add(line);
    settle(line);
  };
  for (let count = 0; count < connections; count++) open();

  let asked = 0;
  const timer =
    rate === undefined
      ? undefined
      : setInterval(() => {
          free = free.filter(({ isBroken }) => !isBroken);
          for (const due = ((performance.now() - began) / 1000) * rate; asked < due; asked++) {
            const line = free.shift();
            if (line) next(line);
            else unsent++;
          }
        }, 5);
  setTimeout(() => {
    ended = true;
    clearInterval(timer);
    for (const line of lines) line.end();
    const goodput = good / (seconds - 1);
    report({ answers, goodput, unsent, broken, p99: { good: p99(times.good), shed: p99(times.shed) } });
  }, seconds * 1000);
};

process.once('message', (load: Load) => run(load, (result) => process.send?.(result, () => process.exit())));
