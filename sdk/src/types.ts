import type { components, operations } from './openapi.gen.ts';

/** The id of an operation in the OpenAPI document. */
export type OperationId = keyof operations;

type Responses<O extends OperationId> = operations[O]['responses'];

type JsonOf<R> = R extends { content: { 'application/json': infer Body } } ? Body : never;

/** The body of a success, with its envelope. */
type Success<O extends OperationId> = JsonOf<Responses<O>[keyof Responses<O>]>;

/** What an operation returns: the `data` of its response. */
export type Data<O extends OperationId> = Success<O> extends { data: infer D } ? D : never;

/** One record of a list. */
export type Item<O extends OperationId> = Data<O> extends readonly (infer I)[] ? I : never;

/** The query parameters of an operation. */
export type Query<O extends OperationId> = NonNullable<operations[O]['parameters']['query']>;

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
/** A version with its instructions. */
export type AgentVersion = Schemas['Version'];
export type Channel = Schemas['Channel'];
export type Campaign = Schemas['Campaign'];
export type Enrollment = Schemas['Enrollment'];
/** A contact that is handed out to one caller, until its lease expires. */
export type Claim = Schemas['Claim'];
export type Import = Schemas['Import'];
