import { type KeyScope, memberScopes } from '../../lib/scopes.ts';
import { type EventType, eventTypes } from '../../records/actions.ts';
import type { Role } from '../workspaces/principal.ts';

type RecordKind = EventType extends infer T ? (T extends `${infer Kind}.${string}` ? Kind : never) : never;

/** The scope that reads the records of each kind of events. */
const scopes: Readonly<Record<RecordKind, KeyScope>> = {
  contact: 'contacts:read',
  agent: 'agents:read',
  version: 'agents:read',
  channel: 'channels:read',
  call: 'calls:read',
  campaign: 'campaigns:read',
  enrollment: 'campaigns:read',
  import: 'imports:write',
  webhook: 'admin',
};

const ofMembers = eventTypes.filter((type) =>
  memberScopes.includes(scopes[type.slice(0, type.indexOf('.')) as RecordKind]),
);

/** The types of the events about records that users with the role may see; undefined for all. */
export const typesFor = (role: Role): EventType[] | undefined => (role === 'owner' ? undefined : ofMembers);
