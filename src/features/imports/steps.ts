/** A download is made in steps, each limited in bytes. So that the database looks at few more records than a step has room
 *  for, each step asks for at most twice as many as the one before returned. */
export const FIRST_STEP = 100;
const MAX_STEP = 1_000;

export const nextStep = (returned: number): number => Math.min(returned * 2, MAX_STEP);
