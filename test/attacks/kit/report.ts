import { saveMeasurements } from '../../kit/load/measurements.ts';

/** Saves the measurements of a proof and prints them. */
export const report = (name: string, measurements: Readonly<Record<string, unknown>>): void => {
  saveMeasurements(name, measurements);
  console.log(`${name}: ${JSON.stringify(measurements)}`);
};

/** Counts by name. */
export class Counter {
  readonly #counts = new Map<string, number>();

  add(name: string | number): void {
    this.#counts.set(`${name}`, (this.#counts.get(`${name}`) ?? 0) + 1);
  }

  get counts(): Record<string, number> {
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
