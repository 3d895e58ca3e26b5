const AIM_MS = 30;
const MIN_SIZE = 100;
const MAX_SIZE = 1_000;

/** How much to do in one step: enough to be worth a commit, and little enough that other writes do not wait long. */
export class StepSize {
  #size = MIN_SIZE;

  get size(): number {
    return this.#size;
  }

  /** Runs a step and learns from how long it took. */
  async step<T>(work: (size: number) => Promise<T>, size = this.#size): Promise<T> {
    const began = performance.now();
    let value: T;
    try {
      value = await work(size);
    } catch (error) {
      // It may have failed because it was too large.
      this.#size = MIN_SIZE;
      throw error;
    }
    // The last step may have had less to do than it was given.
    if (value === true) return value;
    const wanted = (size * AIM_MS) / Math.max(performance.now() - began, 1);
    // Halfway to what this step would have wanted: one slow commit says little.
    this.#size = Math.round(Math.min(MAX_SIZE, Math.max(MIN_SIZE, (this.#size + wanted) / 2)));
    return value;
  }
}
