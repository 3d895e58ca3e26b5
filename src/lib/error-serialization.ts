import { ApiError, type Details, type ErrorCode, type Fault } from './errors.ts';

/** An error as plain data that can be posted to another thread. */
export interface SerializedError {
  readonly code?: ErrorCode;
  readonly message: string;
  readonly details?: Details | undefined;
  readonly headers?: Record<string, string>;
  readonly stack?: string | undefined;
  readonly fault?: Fault | undefined;
}

export const serializeError = (error: unknown): SerializedError => {
  if (!(error instanceof Error)) return { message: String(error) };
  if (!(error instanceof ApiError)) return { message: error.message, stack: error.stack };
  const { code, message, details, headers, fault, cause } = error;
  const stack = cause instanceof Error ? cause.stack : undefined;
  return { code, message, details, headers, fault, stack };
};

export const deserializeError = (serialized: SerializedError): Error => {
  const { code, message, details, headers, fault, stack } = serialized;
  if (!code) return Object.assign(new Error(message), { stack });
  const error = new ApiError(code, message, details, headers);
  error.fault = fault;
  if (stack) error.cause = stack;
  return error;
};
