/** What is done before a sign-out or a switch of workspaces. */
export const beforeLeaving = new Set<() => Promise<unknown>>();

export const finishWork = (): Promise<unknown> => Promise.all([...beforeLeaving].map((work) => work()));
