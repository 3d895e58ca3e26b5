import type { components, operations } from './openapi.gen.ts';

/** The id of an operation in the OpenAPI document. */
export type OperationId = keyof operations;

type Responses<O extends OperationId> = operations[O]['responses'];

type JsonOf<R> = R extends { content: { 'application/json': infer Body } } ? Body : never;

/** The body of a success, with its envelope. */
type Success<O extends OperationId> = JsonOf<Responses<O>[keyof Responses<O>]>;

/** What an operation returns: the `data` of its response. */
export type Data<O extends OperationId> =
  Success<O> extends { data: infer D } ? (O extends keyof EventResults ? EventResults[O] : D) : never;

/** The document has one schema for the events of all types. */
interface EventResults {
  listEvents: Omit<Schemas['EventPage'], 'events'> & { events: Event[] };
  getEvent: Event;
}

/** One record of a list. */
export type Item<O extends OperationId> = Data<O> extends readonly (infer I)[] ? I : never;

/** A filter of contacts: a condition, or a group of conditions. */
export type Filter = components['schemas']['ContactFilterTree'];

/** Queries are text: a filter is JSON, and a boolean one of two words. The client writes both. */
type Parameter<Name, T> = Name extends 'filter'
  ? Filter | string
  : [Exclude<T, undefined>] extends ['true' | 'false' | '']
    ? boolean
    : T;

type Readable<Q> = { [Name in keyof Q]: Parameter<Name, Q[Name]> };

/** The query parameters of an operation. */
export type Query<O extends OperationId> = Readable<NonNullable<operations[O]['parameters']['query']>>;

/** The JSON body of an operation. */
export type Body<O extends OperationId> =
  NonNullable<operations[O]['requestBody' & keyof operations[O]]> extends {
    content: { 'application/json': infer B };
  }
    ? B
    : never;

/** The named schemas of the API. */
export type Schemas = components['schemas'];

/* The records that the signatures of a program most often name. */
export type Contact = Schemas['Contact'];
/** One entry of a batch. */
export type ContactOperation = Schemas['ContactOperation'];
export type Agent = Schemas['Agent'];
/** A version with its instructions and config. */
export type AgentVersion = Schemas['Version'];
export type Channel = Schemas['Channel'];
export type Campaign = Schemas['Campaign'];
/** A filter of contacts under a name. */
export type Segment = Schemas['Segment'];
export type Enrollment = Schemas['Enrollment'];
/** A contact that is handed out to one caller, until its lease expires. */
export type Claim = Schemas['Claim'];
export type Import = Schemas['Import'];

export type EventType = Schemas['Event']['type'];

/** A record by the first word of an event's type, as the event shows it. */
interface Snapshots {
  contact: Schemas['ContactWithCrmIds'];
  agent: Schemas['WrittenAgent'];
  version: { agent_id: string } & Pick<
    Schemas['Version'],
    | 'id'
    | 'version_label'
    | 'deployment_status'
    | 'created_at'
    | 'instructions'
    | 'note'
    | 'config_sha256'
    | 'config'
  >;
  channel: Channel;
  call: Schemas['Call'];
  campaign: Campaign;
  enrollment: Omit<Enrollment, 'variables'>;
  import: Import;
  webhook: Schemas['Webhook'];
}

type Deployed = { agent_id: string } & Pick<
  Schemas['Deploy'],
  'version_id' | 'version_label' | 'previous_version_id' | 'deployed_at' | 'deployed_by' | 'note'
>;

interface MergedContacts {
  merge_id: string;
  other_ids: string[];
}

/** What `data` of an event can be, besides `null`. */
export type EventData<T extends EventType> = T extends 'agent.deployed'
  ? Deployed
  : T extends 'webhook.test'
    ? { id: string; message: string }
    : T extends 'contact.merged' | 'contact.unmerged'
      ? MergedContacts
      : T extends `${string}.deleted`
        ? never
        : T extends `${infer Kind extends keyof Snapshots}.${string}`
          ? Snapshots[Kind]
          : never;

type EventOf<T extends EventType> = T extends EventType
  ? Omit<Schemas['Event'], 'type' | 'data'> & { type: T; data: EventData<T> | null }
  : never;

/** An event. Compare its `type` to know the type of its `data`. */
export type Event<T extends EventType = EventType> = EventOf<T>;
