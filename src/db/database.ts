/** Which database to open. */
export type Database =
  | { readonly engine: 'sqlite'; readonly path: string }
  | { readonly engine: 'postgres'; readonly url: string };

/** A database or a file is not what the command needs. The message is for the person at the terminal. */
export class DatabaseSetupError extends Error {}
