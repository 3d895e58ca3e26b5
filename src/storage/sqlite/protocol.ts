import { ApiError, type Details, type ErrorCode } from '../../kernel/errors.ts';

/** What crosses between the serving thread and those of the database. Both directions send lists, so that requests
 *  of one turn of the event loop cost one message. */
export type Question = readonly [id: number, operation: string, who: unknown, input: unknown];
export type Reply = readonly [id: number, failed: boolean, value: unknown];

export interface ThreadData {
  readonly path: string;
  readonly role: 'writer' | 'reader';
}

interface WireError {
  readonly code?: ErrorCode;
  readonly message: string;
  readonly details?: Details | undefined;
  readonly headers?: Record<string, string>;
  readonly stack?: string | undefined;
}

export const packError = (error: unknown): WireError => {
  if (error instanceof ApiError) {
    const { code, message, details, headers, cause } = error;
    return { code, message, details, headers, stack: cause instanceof Error ? cause.stack : undefined };
  }
  return error instanceof Error ? { message: error.message, stack: error.stack } : { message: String(error) };
};

export const unpackError = ({ code, message, details, headers, stack }: WireError): Error => {
  if (!code) return Object.assign(new Error(message), { stack });
  const error = new ApiError(code, message, details, headers);
  if (stack) error.cause = stack;
  return error;
};
