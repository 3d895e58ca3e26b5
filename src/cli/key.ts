import { keyBody, presetNames } from '../features/workspaces/key.schema.ts';
import { createKey, type KeyView, listApiKeys, revokeKey } from '../features/workspaces/key.service.ts';
import { DEFAULT_WORKSPACE } from '../features/workspaces/workspace.service.ts';
import { PROGRAM } from '../lib/executable.ts';
import { isKeyScope, type KeyScope, keyScopes, type Preset, presets } from '../lib/scopes.ts';
import {
  type Command,
  inWorkspace,
  type ParsedArgs,
  readField,
  readTime,
  shellQuote,
  table,
  UsageError,
} from './command.ts';

/** Every scope that this version has. */
const ALL = 'all';

const readScopes = (text: string = 'read_write'): { scope: Preset } | { scopes: KeyScope[] } => {
  const preset = presetNames.find((each) => each === text);
  if (preset) return { scope: preset };
  if (text === ALL) return { scopes: [...keyScopes] };
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !isKeyScope(name));
  if (unknown === undefined) return { scopes: names.filter(isKeyScope) };
  if (unknown === ALL)
    throw new UsageError(`--scope ${ALL} means every scope. Write it alone, without other scopes.`);
  const combined = presetNames.find((each) => each === unknown);
  if (combined)
    throw new UsageError(
      `--scope ${combined} cannot be combined with other scopes. Write ${presets[combined].join(',')} instead of ${combined}.`,
    );
  throw new UsageError(
    `--scope must be ${presetNames.join(', ')} or ${ALL}, or a list of ${keyScopes.join(', ')}. Unknown: ${unknown || '(empty)'}.`,
  );
};

const statusOf = ({ revoked_at, expires_at }: KeyView) =>
  revoked_at ? 'revoked' : expires_at && expires_at <= new Date().toISOString() ? 'expired' : 'valid';

const row = (key: KeyView) => [
  key.id,
  key.name,
  statusOf(key),
  key.expires_at ?? 'never',
  key.rate_limit ?? 'none',
  key.last_used_at ?? 'never',
  key.scope === 'custom' ? key.scopes.join(',') : key.scope,
];

const create = async ({ text, print }: ParsedArgs): Promise<void> => {
  const name = text('workspace') ?? DEFAULT_WORKSPACE;
  const rate = text('rate-limit');
  const input = {
    name: text('name') ?? '',
    ...readScopes(text('scope')),
    expires_at: readTime('expires', text('expires')) ?? null,
    rate_limit: rate === undefined ? null : readField('rate-limit', keyBody.fields.rate_limit, rate),
  };
  const created = await inWorkspace(name, (storage, principal) => storage.run(createKey, principal, input));
  const revoke = `${PROGRAM} key revoke ${created.id} --workspace ${shellQuote(name)}`;
  print(created, `${created.key}\n\nStore this key now: it is not shown again. To revoke it: ${revoke}`);
};

const list = async ({ text, print }: ParsedArgs): Promise<void> => {
  const keys = await inWorkspace(text('workspace'), (storage, { workspace }) =>
    storage.run(listApiKeys, { workspace }, null),
  );
  const headings = ['ID', 'NAME', 'STATUS', 'EXPIRES', 'RATE LIMIT', 'LAST USED', 'SCOPE'];
  print(keys, table(headings, keys.map(row)));
};

const revoke = async ({ operands: [id = ''], text, print }: ParsedArgs): Promise<void> => {
  await inWorkspace(text('workspace'), (storage, principal) => storage.run(revokeKey, principal, { id }));
  print({ id, revoked: true }, `Revoked ${id}. Running services reject it within half a second.`);
};

export const keyCommand: Command = {
  forms: {
    [`roster key create --name NAME [--workspace W] [--scope SCOPE,…] [--expires 2027-01-01]
                    [--rate-limit 600/1m] [--json]`]: ['Creates an API key and prints it once.', create],
    'roster key list [--workspace W] [--json]': [
      'Lists the API keys of a workspace with their status and last use.',
      list,
    ],
    'roster key revoke ID [--workspace W] [--json]': [
      'Revokes an API key permanently. Running services reject it within half a second.',
      revoke,
    ],
  },
  options: {
    name: 'Name of the key.',
    scope: `${presetNames.join(' or ')} (contacts and agents), ${ALL}, or scopes separated by commas, without spaces: ${keyScopes.join(', ')}. Default: read_write.`,
    expires: 'Expiry: a date (start of the day in UTC), or a time with its time zone. Default: never.',
    'rate-limit': 'Requests per interval, such as 600/1m. Default: RATE_LIMIT.',
  },
};
