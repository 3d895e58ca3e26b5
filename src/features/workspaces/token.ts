import { randomBytes } from 'node:crypto';

/** Tokens of a prefix, the workspace in base 36 and 24 random bytes. The workspace is part of the token because every index
 *  starts with it. */
export const tokens = (prefix: string) => {
  const form = new RegExp(`^${prefix}_([0-9a-z]{1,10})_[\\w-]{32}$`);
  return {
    create: (workspace: number): string =>
      `${prefix}_${workspace.toString(36)}_${randomBytes(24).toString('base64url')}`,
    /** The workspace of a token; undefined for a malformed one. */
    workspaceOf: (token: string): number | undefined => {
      const named = form.exec(token)?.[1];
      return named === undefined ? undefined : Number.parseInt(named, 36);
    },
  };
};
