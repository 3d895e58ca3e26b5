const WIDTH = 30;
const EVERY_MS = 100;

export interface ProgressBar {
  update(done: number, total?: number): void;
  end(): void;
}

/** A bar on a terminal; nothing where the output goes elsewhere. Written to stderr, so that output can be piped. What is
 *  done within `afterMs` needs none. */
export const progressBar = (title: string, { unit = 'rows', afterMs = 0 } = {}): ProgressBar => {
  if (!process.stderr.isTTY) return { update: () => {}, end: () => {} };
  const began = Date.now();
  let drawn = 0;
  const draw = (done: number, total?: number) => {
    const rate = Math.round(done / Math.max((Date.now() - began) / 1000, 0.001));
    const share = total ? Math.min(done / total, 1) : undefined;
    const filled = '█'.repeat(Math.round((share ?? 0) * WIDTH)).padEnd(WIDTH, '░');
    const bar = share === undefined ? '' : ` ${filled} ${Math.floor(share * 100)} %`;
    process.stderr.write(
      `\r\u001b[K${title}${bar} ${done.toLocaleString('en')} ${unit}, ${rate.toLocaleString('en')} a second`,
    );
  };
  return {
    update: (done, total) => {
      if (Date.now() - began < afterMs || (Date.now() - drawn < EVERY_MS && done !== total)) return;
      drawn = Date.now();
      draw(done, total);
    },
    end: () => {
      if (drawn > 0) process.stderr.write('\n');
    },
  };
};

/** A line on a terminal that says what goes on, until it is cleared. */
export const statusLine = () => {
  const write = (text: string) => process.stderr.isTTY && process.stderr.write(`\r\u001b[K${text}`);
  return { show: (what: string) => write(`…      ${what}`), clear: () => write('') };
};
