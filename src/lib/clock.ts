/** The time as it is stored and sent, `YYYY-MM-DDTHH:MM:SS.sssZ`. Its order as text is the order in time. */
export type Timestamp = string;

/** Later than every time that is stored or sent, whose year has four digits. */
export const END_OF_TIME: Timestamp = '9999-12-31T23:59:59.999Z';

let last = { ms: 0, text: '' };

/** Writes each millisecond as text only once: records of one request, or of requests that run together, often share it. */
export const timestamp = (): Timestamp => {
  const ms = Date.now();
  if (ms !== last.ms) last = { ms, text: new Date(ms).toISOString() };
  return last.text;
};

export const DAY_MS = 86_400_000;

/** The time some days after another one, by default after now. */
export const inDays = (days: number, from = Date.now()): Timestamp =>
  new Date(from + days * DAY_MS).toISOString();

/** The time of a change, always later than the previous change, even if the clock was set back. */
export const timestampAfter = (before: Timestamp): Timestamp => {
  const now = timestamp();
  return now > before ? now : new Date(Date.parse(before) + 1).toISOString();
};
