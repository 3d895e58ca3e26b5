/* What an API key may do. A route names the scope it requires; a key has a set of them. */

export const keyScopes = [
  'contacts:read',
  'contacts:write',
  'agents:read',
  'agents:write',
  'agents:deploy',
  'channels:read',
  'channels:write',
  'calls:read',
  'campaigns:read',
  'campaigns:write',
  'imports:write',
  'events:read',
  'audit:read',
  'admin',
  'calls:write',
  'contacts:merge',
] as const;
export type KeyScope = (typeof keyScopes)[number];

/** The two scopes that a key can have instead of a list. */
export const presets = {
  read: ['contacts:read', 'agents:read'],
  read_write: ['contacts:read', 'contacts:write', 'agents:read', 'agents:write'],
} as const satisfies Record<string, readonly KeyScope[]>;
export type Preset = keyof typeof presets;

/** What every user of the dashboard may do. */
export const memberScopes: readonly KeyScope[] = keyScopes.filter(
  (scope) => scope !== 'admin' && scope !== 'audit:read' && scope !== 'events:read',
);

/** A set of scopes as a bit mask: a principal is copied to threads, and a request tests one bit. */
export type ScopeSet = number;

export const bitOf = (scope: KeyScope): ScopeSet => 1 << keyScopes.indexOf(scope);

export const scopeSet = (scopes: readonly KeyScope[]): ScopeSet =>
  scopes.reduce((set, scope) => set | bitOf(scope), 0);

/** In the order of `keyScopes`. */
export const scopesIn = (set: ScopeSet): KeyScope[] => keyScopes.filter((scope) => set & bitOf(scope));

export const isKeyScope = (text: string): text is KeyScope => (keyScopes as readonly string[]).includes(text);

/** The set of a stored list. A scope of a later version of the program is ignored. */
export const parseScopes = (list: string): ScopeSet => scopeSet(list.split(' ').filter(isKeyScope));
