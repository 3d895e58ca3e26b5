const WIDTH = 30;
const REDRAW_MS = 100;

export interface ProgressBar {
  update(done: number, total?: number): void;
  end(): void;
}

/** A progress bar on stderr, if stderr is a terminal. It appears after `afterMs`. The rate leaves out what was done before:
 *  `from`. */
export const progressBar = (title: string, { unit = 'rows', afterMs = 0, from = 0 } = {}): ProgressBar => {
  if (!process.stderr.isTTY) return { update: () => {}, end: () => {} };
  const began = Date.now();
  let drawn = 0;
  const draw = (done: number, total?: number) => {
    const rate = Math.round((done - from) / Math.max((Date.now() - began) / 1000, 0.001));
    const share = total ? Math.min(done / total, 1) : undefined;
    const filled = '█'.repeat(Math.round((share ?? 0) * WIDTH)).padEnd(WIDTH, '░');
    const bar = share === undefined ? '' : ` ${filled} ${Math.floor(share * 100)} %`;
    process.stderr.write(
      `\r\u001b[K${title}${bar} ${done.toLocaleString('en')} ${unit}, ${rate.toLocaleString('en')} per second`,
    );
  };
  return {
    update: (done, total) => {
      if (Date.now() - began < afterMs || (Date.now() - drawn < REDRAW_MS && done !== total)) return;
      drawn = Date.now();
      draw(done, total);
    },
    end: () => {
      if (drawn > 0) process.stderr.write('\n');
    },
  };
};

/** A status line on stderr, if stderr is a terminal. */
export const statusLine = () => {
  const write = (text: string) => process.stderr.isTTY && process.stderr.write(`\r\u001b[K${text}`);
  return { show: (what: string) => write(`…      ${what}`), clear: () => write('') };
};
