/** The time as it is stored and sent, `YYYY-MM-DDTHH:MM:SS.sssZ`. Its order as text is the order in time. */
export type Timestamp = string;

export const timestamp = (): Timestamp => new Date().toISOString();

/** The time of a change, always later than the previous change, even if the clock was set back. */
export const timestampAfter = (before: Timestamp): Timestamp => {
  const now = timestamp();
  return now > before ? now : new Date(Date.parse(before) + 1).toISOString();
};
