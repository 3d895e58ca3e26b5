const WIDTH = 30;
const REDRAW_MS = 100;

/** How often a log gets a line about progress. */
const LINE_MS = 10_000;

/** A progress bar on stderr, if stderr is a terminal. It appears after `afterMs`. The rate leaves out what was done before:
 *  `from`. With `lines`, another output gets a line at the start, the end and every ten seconds. */
export const progressBar = (title: string, { unit = 'rows', afterMs = 0, from = 0, lines = false } = {}) => {
  const { isTTY } = process.stderr;
  const began = Date.now();
  let [drawn, drawnDone] = [0, Number.NaN];
  const draw = (done: number, total?: number) => {
    const rate = Math.round(Math.max(done - from, 0) / Math.max((Date.now() - began) / 1000, 0.001));
    const share = total ? Math.min(done / total, 1) : undefined;
    const text = `${done.toLocaleString('en')} ${unit}, ${rate.toLocaleString('en')} per second`;
    if (!isTTY) {
      const percent = share === undefined ? '' : ` ${Math.floor(share * 100)} %,`;
      process.stderr.write(`${title}:${percent} ${text}\n`);
      return;
    }
    const filled = '█'.repeat(Math.round((share ?? 0) * WIDTH)).padEnd(WIDTH, '░');
    const bar = share === undefined ? '' : ` ${filled} ${Math.floor(share * 100)} %`;
    process.stderr.write(`\r\u001b[K${title}${bar} ${text}`);
  };
  return {
    update: (done: number, total?: number) => {
      if (
        !(isTTY || lines) ||
        done === drawnDone ||
        Date.now() - began < afterMs ||
        (Date.now() - drawn < (isTTY ? REDRAW_MS : LINE_MS) && done !== total)
      )
        return;
      [drawn, drawnDone] = [Date.now(), done];
      draw(done, total);
    },
    end: () => {
      if (drawn > 0 && isTTY) process.stderr.write('\n');
    },
  };
};

/** Shorter work shows no progress bar. */
export const PROGRESS_DELAY_MS = 2_000;

/** Passes content on, and shows its progress. */
export async function* withProgress(
  title: string,
  content: AsyncIterable<Uint8Array>,
  total?: number,
): AsyncGenerator<Uint8Array> {
  const bar = progressBar(title, { unit: 'bytes', afterMs: PROGRESS_DELAY_MS });
  let done = 0;
  try {
    for await (const chunk of content) {
      done += chunk.length;
      bar.update(done, total);
      yield chunk;
    }
  } finally {
    bar.end();
  }
}

/** A status line on stderr, if stderr is a terminal. */
export const statusLine = () => {
  const write = (text: string) => process.stderr.isTTY && process.stderr.write(`\r\u001b[K${text}`);
  return { show: (what: string) => write(`…      ${what}`), clear: () => write('') };
};
