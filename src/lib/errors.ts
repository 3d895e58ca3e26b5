/** Every error code of the API, with its HTTP status. */
export const statusOf = {
  VALIDATION_ERROR: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  GONE: 410,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  IDEMPOTENCY_MISMATCH: 422,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof statusOf;

export interface Problem {
  field: string;
  message: string;
}

/** The invalid fields, or the conflicting record. */
export type Details = Problem[] | Record<string, string>;

/** Why the database refuses operations, with the sentence for callers and probes. The names are labels of metrics. */
export const faultReasons = {
  disk_full: 'The disk of the database is full.',
  disk_error: 'The disk of the database fails.',
  locked: 'Another program has locked the database.',
  no_answer: 'The database does not answer.',
  unreachable: 'The database cannot be reached.',
  read_only: 'The database server does not accept writes.',
  former_primary: 'The database server was replaced by another primary.',
  other: 'The database cannot be used.',
} as const;
export type FaultReason = keyof typeof faultReasons;

export interface Fault {
  readonly reason: FaultReason;
  /** The code of the engine or of the system, for the log. */
  readonly code: string;
  /** Whether other operations fail as well, until a probe succeeds. Otherwise only this one failed, or a health check reports the
   *  outage. */
  readonly isOutage: boolean;
}

/** An error whose message the caller may see. Any other error becomes INTERNAL_ERROR. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: Details | undefined;
  readonly headers: Record<string, string>;
  /** A fault of the database, which is counted and reported as a change of state, not with each request. */
  fault?: Fault | undefined;

  constructor(code: ErrorCode, message: string, details?: Details, headers: Record<string, string> = {}) {
    super(message);
    this.code = code;
    this.details = details;
    this.headers = headers;
  }
}

/** A concurrent transaction changed what this one relied on. The storage rolls back and retries; after the last attempt
 *  the caller gets this 503. */
export class TransactionConflict extends ApiError {
  constructor(message: string) {
    super('UNAVAILABLE', message, undefined, { 'Retry-After': '1' });
  }
}

/** A request that is invalid as a whole, not one of its fields. */
export const invalidRequest = (message: string): ApiError => new ApiError('VALIDATION_ERROR', message);

/** Maximum number of problems in one response. */
export const MAX_PROBLEMS = 20;

/** The message repeats the first problem, so that it is useful without the details. */
export const invalid = (problems: Problem[]): ApiError => {
  const [first] = problems;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more, see details)` : '';
  return new ApiError('VALIDATION_ERROR', `${first?.field}: ${first?.message}${more}`, problems);
};

export const invalidField = (field: string, message: string): ApiError => invalid([{ field, message }]);

export const conflict = (message: string, details?: Details, headers?: Record<string, string>): ApiError =>
  new ApiError('CONFLICT', message, details, headers);

export const forbidden = (message: string, details?: Details): ApiError =>
  new ApiError('FORBIDDEN', message, details);

export const notFound = (what: string): ApiError =>
  new ApiError('NOT_FOUND', `No such ${what} in this workspace.`);

/** A record that was looked up; throws if there is none. */
export const existing = <T>(what: string, found: T | undefined): T => {
  if (found === undefined) throw notFound(what);
  return found;
};

export const unavailable = (
  message = 'The service cannot reach its database right now. Retry in 1 second.',
): ApiError => new ApiError('UNAVAILABLE', message, undefined, { 'Retry-After': '1' });

/** The message says when to retry. */
export const rateLimited = (
  message: string,
  retryAfterSeconds: number,
  headers?: Readonly<Record<string, string>>,
): ApiError =>
  new ApiError('RATE_LIMITED', message, undefined, { ...headers, 'Retry-After': String(retryAfterSeconds) });

const FAULT_MESSAGES: Partial<Record<FaultReason, string>> = {
  disk_full: `${faultReasons.disk_full} Nothing was changed. Retry when the operator has freed space.`,
};

/** A 503 because of a fault of the database. */
export const unavailableBy = (
  fault: Fault,
  { cause, message = FAULT_MESSAGES[fault.reason] }: { cause?: unknown; message?: string } = {},
): ApiError => Object.assign(unavailable(message), { fault, cause });

/** One response for a missing, malformed, unknown, revoked or expired credential. */
export const unauthorized = (
  message = 'Send a valid API key in the header Authorization: Bearer <API_KEY>.',
  scheme = 'Bearer',
): ApiError => new ApiError('UNAUTHORIZED', message, undefined, { 'WWW-Authenticate': scheme });

/** The result of work, or the error that its caller may see. */
export const attempt = <T>(work: () => T): { readonly value: T } | { readonly error: ApiError } => {
  try {
    return { value: work() };
  } catch (error) {
    if (error instanceof ApiError) return { error };
    throw error;
  }
};
