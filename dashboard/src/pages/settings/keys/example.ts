import type { KeyScope } from './labels.ts';

interface Request {
  readonly path: string;
  readonly method?: 'POST' | 'PUT';
  readonly accept?: string;
  /** In JSON. */
  readonly body?: string;
}

const list = (name: string): Request => ({ path: `/v1/${name}?limit=1` });

/** For scopes whose other requests depend on records of the workspace. */
const listTools: Request = {
  path: '/mcp',
  method: 'POST',
  accept: 'application/json, text/event-stream',
  body: '{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}',
};

/** A request that a key with only this scope may send, and that succeeds in every workspace. Those that only read come first. */
const requests: Readonly<Record<KeyScope, Request>> = {
  'contacts:read': list('contacts'),
  'agents:read': list('agents'),
  'campaigns:read': list('campaigns'),
  'calls:read': list('calls'),
  'channels:read': list('channels'),
  'events:read': list('events'),
  'audit:read': list('audit'),
  'imports:write': list('imports'),
  admin: list('users'),
  'channels:write': listTools,
  'campaigns:write': listTools,
  'calls:write': listTools,
  'contacts:merge': listTools,
  'agents:deploy': listTools,
  'contacts:write': {
    path: '/v1/contacts/by-phone/+12025550123',
    method: 'PUT',
    body: '{"first_name": "Ada"}',
  },
  'agents:write': {
    path: '/v1/agents',
    method: 'POST',
    body: '{"name": "Example", "instructions": "You are the receptionist."}',
  },
};

/** A command that works with a new key. */
export const exampleRequest = (
  origin: string,
  { key, scopes }: { readonly key: string; readonly scopes: readonly KeyScope[] },
): string => {
  const scope = (Object.keys(requests) as KeyScope[]).find((each) => scopes.includes(each));
  const { path, method, accept, body } = scope ? requests[scope] : listTools;
  return [
    `curl -s ${method ? `-X ${method} ` : ''}"${origin}${path}"`,
    `-H "Authorization: Bearer ${key}"`,
    ...(accept ? [`-H "Accept: ${accept}"`] : []),
    ...(body ? ['-H "Content-Type: application/json"', `-d '${body}'`] : []),
  ].join(' \\\n  ');
};
