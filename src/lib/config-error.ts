/** The configuration is invalid. The message says what to change. */
export class ConfigError extends Error {}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** A whole number in a range. Undefined if it is absent. */
export const readNumber = (name: string, text: string | undefined, { from, to }: Range) => {
  if (text === undefined) return undefined;
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= from && number <= to) return number;
  throw new ConfigError(`${name} must be a number from ${from} to ${to}, not ${text}.`);
};
