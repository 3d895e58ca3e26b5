import { passwordCost } from '../../../src/features/workspaces/password.ts';

/** The cost outside of tests, at which a hash takes a third of a second. */
export const USUAL_COST = { ...passwordCost };

export const setPasswordCost = (cost: typeof passwordCost): void => {
  Object.assign(passwordCost, cost);
};

/** Makes hashes of this process as cheap as argon2 allows. */
export const lowerPasswordCost = (): void => setPasswordCost({ memory: 8, passes: 1, parallelism: 1 });
