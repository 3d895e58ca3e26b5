const TARGET_MS = 30;
const MIN_SIZE = 100;
const MAX_SIZE = 1_000;

/** Adapts the number of items per step: enough to be worth a commit, and few enough that other writes do not wait long. */
export class StepSize {
  size = MIN_SIZE;

  /** Runs a step and adapts the size to its duration. */
  async step<T>(work: (size: number) => Promise<T>, size = this.size): Promise<T> {
    const began = performance.now();
    let value: T;
    try {
      value = await work(size);
    } catch (error) {
      // The step may have failed because it was too large.
      this.size = MIN_SIZE;
      throw error;
    }
    // The last step may have had fewer items.
    if (value === true) return value;
    const target = (size * TARGET_MS) / Math.max(performance.now() - began, 1);
    // Moves only halfway, because a single slow commit says little.
    this.size = Math.round(Math.min(MAX_SIZE, Math.max(MIN_SIZE, (this.size + target) / 2)));
    return value;
  }
}
