/** The time as it is stored and sent: `YYYY-MM-DDTHH:MM:SS.sssZ`. Such texts sort as the moments they name. */
export type Timestamp = string;

export const timestamp = (): Timestamp => new Date().toISOString();

/** The time of a change, strictly after the change before it, also within one millisecond and when the clock
 *  has stepped back. */
export const timestampAfter = (before: Timestamp): Timestamp => {
  const now = timestamp();
  return now > before ? now : new Date(Date.parse(before) + 1).toISOString();
};
