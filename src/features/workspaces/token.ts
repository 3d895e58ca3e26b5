import { randomBytes } from 'node:crypto';

/** Secrets that name their workspace, so that they are found by an index that begins with the workspace like all others:
 *  a prefix, the workspace in base 36, and 24 random bytes. */
export const tokens = (prefix: string) => {
  const form = new RegExp(`^${prefix}_([0-9a-z]{1,10})_[\\w-]{32}$`);
  return {
    create: (workspace: number): string =>
      `${prefix}_${workspace.toString(36)}_${randomBytes(24).toString('base64url')}`,
    /** The workspace that a token names; undefined for a text that is none. */
    workspaceOf: (token: string): number | undefined => {
      const named = form.exec(token)?.[1];
      return named === undefined ? undefined : Number.parseInt(named, 36);
    },
  };
};
