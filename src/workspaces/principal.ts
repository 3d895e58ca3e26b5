export const scopes = ['read', 'read_write'] as const;
export type Scope = (typeof scopes)[number];

/** Who asks: the workspace that every statement names, and what the credential allows. */
export interface Principal {
  readonly workspace: number;
  readonly key: string;
  readonly scope: Scope;
}
