const began = performance.now();

/** Prints progress to standard error; the table goes to standard output. */
export const printProgress = (text: string): void => {
  const seconds = ((performance.now() - began) / 1_000).toFixed(0).padStart(4);
  process.stderr.write(`${seconds} s  ${text}\n`);
};
