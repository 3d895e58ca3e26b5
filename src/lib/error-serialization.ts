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
  if (error instanceof ApiError) {
    const { code, message, details, headers, fault, cause } = error;
    return {
      code,
      message,
      details,
      headers,
      fault,
      stack: cause instanceof Error ? cause.stack : undefined,
    };
  }
  return error instanceof Error ? { message: error.message, stack: error.stack } : { message: String(error) };
};

export const deserializeError = ({
  code,
  message,
  details,
  headers,
  fault,
  stack,
}: SerializedError): Error => {
  if (!code) return Object.assign(new Error(message), { stack });
  const error = new ApiError(code, message, details, headers);
  error.fault = fault;
  if (stack) error.cause = stack;
  return error;
};
