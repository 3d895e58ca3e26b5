export { BatchError, type BatchOptions } from './batch.ts';
export { Call, Result } from './call.ts';
export { Roster } from './client.ts';
export { Download } from './download.ts';
export {
  ConflictError,
  ConnectionError,
  type ErrorDetails,
  type FieldProblem,
  MissingScopeError,
  NotFoundError,
  PreconditionFailedError,
  RateLimitedError,
  RosterError,
  TimeoutError,
  UnauthorizedError,
  UnavailableError,
  ValidationError,
} from './errors.ts';
export { type AllOptions, List, type Page } from './list.ts';
export type { components, operations, paths } from './openapi.gen.ts';
export type { ChangeOptions, RequestOptions, Retry, RosterOptions, WriteOptions } from './options.ts';
export type { Upload } from './request.ts';
export type { UpsertOptions } from './resources/contacts.ts';
export type { ImportOptions, ImportProgress, WaitOptions } from './resources/imports.ts';
export type {
  Agent,
  AgentVersion,
  Body,
  Campaign,
  Channel,
  Claim,
  Contact,
  ContactOperation,
  Data,
  Enrollment,
  Event,
  EventData,
  EventType,
  Filter,
  Import,
  Item,
  OperationId,
  Query,
  Schemas,
  Segment,
} from './types.ts';
export { VERSION } from './version.ts';
export {
  type SignedHeaders,
  type SignOptions,
  type VerifyOptions,
  type WebhookHeaders,
  WebhookVerificationError,
  webhooks,
} from './webhooks.ts';
