export type Database =
  | { readonly engine: 'sqlite'; readonly path: string }
  | { readonly engine: 'postgres'; readonly url: string };

/** A problem with the configured database or file. Commands print its message without a stack. */
export class DatabaseSetupError extends Error {}
