import type { KeyScope } from '../../../src/lib/scopes.ts';

/** What a response can give access to, and the scopes that protect it. A key that calls an operation must have them. */
export const PROTECTED = {
  /** All fields of contacts. */
  contacts: ['contacts:read'],
  /** How many contacts have a property that the caller chooses. */
  'counts of contacts': ['contacts:read'],
  /** Their names, labels and deploys. */
  agents: ['agents:read'],
  instructions: ['agents:read'],
  channels: ['channels:read'],
  /** With the number and the name of the other party. */
  calls: ['calls:read'],
  campaigns: ['campaigns:read'],
  /** The names and numbers of contacts that someone has enrolled. */
  'enrolled contacts': ['campaigns:read'],
  events: ['events:read'],
  'audit log': ['audit:read'],
  'emails of users': ['admin'],
  keys: ['admin'],
  settings: ['admin'],
  integrations: ['admin'],
  webhooks: ['admin'],
  imports: ['imports:write'],
  /** Reads the instructions of the channel's agent, and contacts by their numbers. */
  'secret of a channel': ['channels:write', 'agents:read', 'contacts:read'],
  /** Reads and writes contacts by their numbers. */
  'secret of an integration': ['admin', 'contacts:read', 'contacts:write'],
  /** Receives events, or verifies them. */
  'events of a webhook': ['admin', 'events:read'],
  /** The handler compares its scopes with those of the caller. */
  'an API key': ['admin'],
  /** The handler requires every scope of a member. */
  'a sign-in link': ['admin'],
} as const satisfies Record<string, readonly KeyScope[]>;
export type HandedOut = keyof typeof PROTECTED;

/** What a scope hands out besides, as the table of scopes in docs/api.md says. */
export const DOCUMENTED: Readonly<Record<string, readonly HandedOut[]>> = {
  // A caller that enrolls contacts can read them, and one that chooses the agent can read its instructions.
  'POST /campaigns/{id}/claims': ['contacts', 'instructions', 'enrolled contacts'],
  'PATCH /campaigns/{id}/enrollments/{contact}': ['enrolled contacts'],
  // What a deploy would affect.
  'GET /agents/{id}/versions/{version}/impact': ['channels', 'campaigns'],
  'MCP show_deploy_impact': ['channels', 'campaigns'],
};

/** What each operation hands out of records that existed before. A write shows what was sent and the names of the records that it refers to, which is
 *  nothing in this table. */
export const HANDED_OUT: Readonly<Record<string, readonly HandedOut[]>> = {
  'GET /contacts': ['contacts', 'counts of contacts'],
  'POST /contacts': [],
  'GET /contacts/export': ['contacts'],
  'GET /contacts/conflicts': ['contacts'],
  'GET /contacts/{id}': ['contacts'],
  'PATCH /contacts/{id}': [],
  'DELETE /contacts/{id}': [],
  'GET /contacts/by-phone/{phone}': ['contacts'],
  'PUT /contacts/by-phone/{phone}': [],
  'POST /contacts/batch': [],
  'GET /contacts/{id}/enrollments': ['enrolled contacts', 'campaigns'],
  'GET /contacts/{id}/timeline': ['contacts'],
  'GET /tags': ['counts of contacts'],
  'GET /fields': [],
  'POST /fields': [],
  'GET /fields/{key}': [],
  'PATCH /fields/{key}': [],
  'DELETE /fields/{key}': [],

  'GET /bulk-jobs': ['counts of contacts'],
  'POST /bulk-jobs': [],
  'GET /bulk-jobs/{id}': ['counts of contacts'],
  'POST /bulk-jobs/{id}/cancel': [],
  'GET /bulk-jobs/{id}/export': ['contacts'],

  'GET /agents': ['agents'],
  'POST /agents': [],
  'GET /agents/{id}': ['agents', 'instructions'],
  'PATCH /agents/{id}': [],
  'DELETE /agents/{id}': [],
  'POST /agents/{id}/duplicate': [],
  'GET /agents/{id}/variables': ['agents'],
  'PUT /agents/{id}/variables': [],
  'POST /agents/{id}/versions/{version}/render': ['agents', 'instructions', 'contacts'],
  'GET /agents/{id}/active': ['agents', 'instructions'],
  'GET /agents/{id}/deploys': ['agents'],
  'GET /agents/{id}/versions': ['agents'],
  'GET /agents/{id}/versions/{version}': ['agents', 'instructions'],
  'GET /agents/{id}/versions/{version}/diff': ['agents', 'instructions'],
  'GET /agents/{id}/versions/{version}/deploys': ['agents'],
  'GET /agents/{id}/versions/{version}/outcomes': ['calls'],
  'GET /agents/{id}/versions/{version}/impact': ['agents', 'instructions', 'channels', 'campaigns'],
  'POST /agents/{id}/versions/{version}/deploy': [],
  'POST /agents/{id}/rollback': [],
  'GET /deploys': ['agents'],

  'GET /channels': ['channels'],
  'POST /channels': ['secret of a channel'],
  'GET /channels/{id}': ['channels'],
  'PATCH /channels/{id}': [],
  'DELETE /channels/{id}': [],
  'POST /channels/{id}/rotate-secret': ['secret of a channel'],
  'DELETE /channels/{id}/old-secret': [],
  // Chooses the agent whose instructions a known secret reads.
  'PUT /channels/{id}/agent': ['secret of a channel'],
  'DELETE /channels/{id}/agent': [],

  'GET /calls': ['calls'],
  'GET /calls/export': ['calls'],
  'GET /calls/statistics': ['calls'],
  'GET /calls/{id}': ['calls'],

  'GET /campaigns': ['campaigns'],
  // Chooses the agent whose instructions a claim reads.
  'POST /campaigns': ['instructions'],
  'GET /campaigns/{id}': ['campaigns'],
  'PATCH /campaigns/{id}': [],
  'DELETE /campaigns/{id}': [],
  'POST /campaigns/{id}/duplicate': [],
  'GET /campaigns/{id}/progress': ['campaigns'],
  'GET /campaigns/{id}/start-check': ['campaigns', 'enrolled contacts'],
  'GET /campaigns/{id}/schedule': ['campaigns'],
  'PUT /campaigns/{id}/schedule': [],
  'GET /campaigns/{id}/enrollments': ['enrolled contacts', 'campaigns'],
  // Counts those of a search, and chooses the contacts that a claim reads.
  'POST /campaigns/{id}/enrollments': ['counts of contacts', 'contacts'],
  'PATCH /campaigns/{id}/enrollments/{contact}': ['enrolled contacts'],
  'DELETE /campaigns/{id}/enrollments/{contact}': [],
  'POST /campaigns/{id}/claims': ['contacts', 'instructions', 'enrolled contacts'],

  'POST /imports/columns': [],
  'GET /imports': ['imports'],
  'POST /imports': ['imports', 'counts of contacts'],
  'GET /imports/{id}': ['imports'],
  'PATCH /imports/{id}': ['imports', 'counts of contacts'],
  'DELETE /imports/{id}': [],
  'GET /imports/{id}/rows': ['imports'],
  'GET /imports/{id}/reasons': ['imports'],
  'GET /imports/{id}/report.csv': ['imports'],
  'POST /imports/{id}/apply': ['imports'],
  'GET /imports/{id}/undo': ['imports'],
  'POST /imports/{id}/undo': ['imports'],

  'GET /integrations': ['integrations'],
  'POST /integrations': ['secret of an integration'],
  'GET /integrations/{id}': ['integrations'],
  'PATCH /integrations/{id}': ['integrations'],
  'DELETE /integrations/{id}': [],
  'POST /integrations/{id}/rotate-secret': ['secret of an integration'],
  'DELETE /integrations/{id}/old-secret': ['integrations'],

  'GET /keys': ['keys'],
  'POST /keys': ['an API key'],
  'GET /keys/{id}': ['keys'],
  'DELETE /keys/{id}': [],
  'GET /users': ['emails of users'],
  'POST /users': ['a sign-in link'],
  'GET /users/{id}': ['emails of users'],
  'PATCH /users/{id}': ['emails of users'],
  'DELETE /users/{id}': [],
  'POST /users/{id}/link': ['a sign-in link'],
  'GET /settings': ['settings'],
  'PATCH /settings': ['settings'],
  'GET /audit': ['audit log'],

  'GET /events': ['events'],
  'GET /events/{id}': ['events'],
  'GET /webhooks': ['webhooks'],
  'POST /webhooks': ['events of a webhook'],
  'GET /webhooks/{id}': ['webhooks'],
  'PATCH /webhooks/{id}': ['events of a webhook'],
  'DELETE /webhooks/{id}': [],
  'POST /webhooks/{id}/rotate-secret': ['events of a webhook'],
  'DELETE /webhooks/{id}/old-secret': ['webhooks'],
  'GET /webhooks/{id}/attempts': ['webhooks'],
  'GET /webhooks/{id}/attempts/{attempt}': ['events of a webhook'],
  'POST /webhooks/{id}/test': ['events of a webhook'],
  'POST /webhooks/{id}/replay': ['events of a webhook'],
  'DELETE /webhooks/{id}/replay': ['webhooks'],

  'MCP find_people': ['contacts', 'counts of contacts'],
  'MCP get_person': ['contacts'],
  'MCP save_person': [],
  'MCP tag_people': [],
  'MCP list_agents': ['agents'],
  'MCP read_version': ['agents', 'instructions'],
  'MCP draft_instructions': [],
  'MCP compare_versions': ['agents', 'instructions'],
  'MCP show_deploy_impact': ['agents', 'instructions', 'channels', 'campaigns'],
  'MCP deploy_version': [],
  'MCP list_calls': ['calls'],
  'MCP campaign_status': ['campaigns', 'enrolled contacts'],
  'MCP enroll_people': ['counts of contacts', 'contacts'],
  'MCP import_status': ['imports'],
  'MCP explain_error': [],
};

/** The same for operations that only the dashboard has. */
export const HANDED_OUT_TO_USERS: Readonly<Record<string, readonly HandedOut[]>> = {
  'GET /contacts': ['contacts'],
  'POST /session': [],
  'POST /session/link': [],
  'GET /session': [],
  'GET /session/workspaces': [],
  'PUT /session/workspace': [],
  'DELETE /session': [],
  'PUT /session/password': [],
  'GET /integrations/health': ['integrations'],
  'GET /keys/details': ['keys', 'emails of users'],
  'PATCH /settings/name': ['settings'],
  'GET /views': [],
  'POST /views': [],
  'GET /views/{id}': [],
  'PATCH /views/{id}': [],
  'DELETE /views/{id}': [],
  'GET /notices': ['campaigns', 'imports'],
  'PUT /notices/read': [],
  'GET /figures': ['counts of contacts', 'calls', 'campaigns', 'agents', 'imports', 'channels'],
  'GET /contacts/activity': ['calls'],
};
