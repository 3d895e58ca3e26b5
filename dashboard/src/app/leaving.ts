/** What is done before a sign-out or a switch of workspaces. Resolves with false if it failed and the user was told. */
export const beforeLeaving = new Set<() => Promise<boolean>>();

/** Resolves with whether the page may be left. */
export const finishWork = async (): Promise<boolean> =>
  (await Promise.all([...beforeLeaving].map((work) => work()))).every(Boolean);
