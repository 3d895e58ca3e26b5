/** What the service does in the background, without events. */
export const workKinds = ['jobs', 'imports', 'notices', 'webhooks'] as const;
type WorkKind = (typeof workKinds)[number];

/** The state of each kind that the user may see, as a text that differs when it changes. */
export type WorkStates = Readonly<Partial<Record<WorkKind, string>>>;

/** Compares the states with those of the last call. */
export const watchWork = (read: () => Promise<WorkStates>) => {
  let known: WorkStates = {};
  let changed = new Set<WorkKind>();
  return {
    /** Whether some have changed since they were taken: all of them, at first. */
    look: async (): Promise<boolean> => {
      const now = await read();
      for (const kind of workKinds) if (now[kind] !== known[kind]) changed.add(kind);
      known = now;
      return changed.size > 0;
    },
    take: (): WorkKind[] => {
      const taken = [...changed];
      changed = new Set();
      return taken;
    },
  };
};
