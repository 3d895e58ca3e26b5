/** A problem with one field of a request. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** What an error says beyond its message: problems by field, or named values such as `existing_contact_id`. */
export type ErrorDetails = readonly FieldProblem[] | Readonly<Record<string, unknown>>;

export interface ErrorInit {
  readonly code: string;
  readonly status?: number | undefined;
  readonly details?: ErrorDetails | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/** Every error of this package, except for the reason of an `AbortSignal`, which is thrown as it is. */
export class RosterError extends Error {
  override readonly name: string = 'RosterError';
  /** Stable, such as `NOT_FOUND`; messages may be reworded. */
  readonly code: string;
  /** The HTTP status, or undefined without a response. */
  readonly status: number | undefined;
  readonly details: ErrorDetails | undefined;
  /** Identifies the request in the log of the service. */
  readonly requestId: string | undefined;
  /** The seconds to wait before another attempt, if the service named them. */
  readonly retryAfter: number | undefined;

  constructor(message: string, { code, status, details, requestId, retryAfter, cause }: ErrorInit) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.details = details;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

const named = (details: ErrorDetails | undefined, name: string): string | undefined => {
  const value = Array.isArray(details) ? undefined : (details as Record<string, unknown> | undefined)?.[name];
  return typeof value === 'string' ? value : undefined;
};

/** 400: the request is invalid. Nothing changed. */
export class ValidationError extends RosterError {
  override readonly name = 'ValidationError';
  /** One entry per problem, at most 20. */
  get fields(): readonly FieldProblem[] {
    return Array.isArray(this.details) ? this.details : [];
  }
}

/** 401: the API key is missing, unknown, revoked or expired. */
export class UnauthorizedError extends RosterError {
  override readonly name = 'UnauthorizedError';
}

/** 403: the API key does not have the scope that the request requires. */
export class MissingScopeError extends RosterError {
  override readonly name = 'MissingScopeError';
  get requiredScope(): string | undefined {
    return named(this.details, 'required_scope');
  }
}

/** 404: the record does not exist in the workspace of the key. */
export class NotFoundError extends RosterError {
  override readonly name = 'NotFoundError';
}

/** 409: another record or request is in the way. */
export class ConflictError extends RosterError {
  override readonly name = 'ConflictError';
  /** The contact that already has the phone number. */
  get existingContactId(): string | undefined {
    return named(this.details, 'existing_contact_id');
  }
}

/** 412: the record has changed since its ETag was read. Nothing changed. */
export class PreconditionFailedError extends RosterError {
  override readonly name = 'PreconditionFailedError';
}

/** 429: the key has used its quota, and the retries did too. */
export class RateLimitedError extends RosterError {
  override readonly name = 'RateLimitedError';
}

/** 503: the service was overloaded or without its database in every attempt. */
export class UnavailableError extends RosterError {
  override readonly name = 'UnavailableError';
}

/** No attempt got a complete response. Whether the last one took effect is unknown. */
export class ConnectionError extends RosterError {
  override readonly name: string = 'ConnectionError';
}

/** No attempt got a complete response in time. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError';
}

const classes: Readonly<Record<number, typeof RosterError>> = {
  400: ValidationError,
  401: UnauthorizedError,
  403: MissingScopeError,
  404: NotFoundError,
  409: ConflictError,
  412: PreconditionFailedError,
  429: RateLimitedError,
  503: UnavailableError,
};

/** The seconds of a `Retry-After` header, which is a number or a date. */
export const retryAfterOf = (headers: Headers): number | undefined => {
  const value = headers.get('retry-after');
  if (!value) return undefined;
  const seconds = Number(value);
  if (seconds >= 0) return seconds;
  const time = Date.parse(value);
  return time ? Math.max(0, (time - Date.now()) / 1000) : undefined;
};

/** The error of a response whose status is not a success. A proxy may have sent it, so its body can be anything. */
export const errorOf = (response: Response, text: string): RosterError => {
  const { status, headers } = response;
  let sent: { code?: string; message?: string; details?: ErrorDetails; request_id?: string } | undefined;
  try {
    sent = JSON.parse(text).error;
  } catch {
    // Not JSON, so not by the service.
  }
  const code = sent?.code ?? `HTTP_${status}`;
  const details = sent?.details;
  const scope = named(details, 'required_scope');
  const Class = (status === 403 && !scope ? undefined : classes[status]) ?? RosterError;
  return new Class(sent?.message ?? `The server answered with status ${status}.`, {
    code,
    status,
    details,
    requestId: headers.get('x-request-id') ?? sent?.request_id,
    retryAfter: retryAfterOf(headers),
  });
};
