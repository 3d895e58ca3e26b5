import type { Error as ErrorAnswer, Problem } from './types.gen.ts';

type Told = ErrorAnswer['error'];

/** `CONNECTION_LOST` is our own: no answer came at all. */
export type ApiErrorCode = Told['code'] | 'CONNECTION_LOST';

/** A call that did not succeed. The message is written for the person who reads the page. */
export class ApiError extends Error {
  readonly code: ApiErrorCode;
  readonly details: Told['details'];
  readonly requestId: string | undefined;

  constructor(code: ApiErrorCode, message: string, details?: Told['details'], requestId?: string) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.details = details;
    this.requestId = requestId;
  }
}

export const isApiError = (error: unknown, ...codes: ApiErrorCode[]): error is ApiError =>
  error instanceof ApiError && (codes.length === 0 || codes.includes(error.code));

const isList = (details: Told['details']): details is readonly Problem[] => Array.isArray(details);

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What is wrong with which field, to show beside the fields of a form. */
export const fieldErrors = (error: unknown): Readonly<Record<string, string>> =>
  error instanceof ApiError && isList(error.details)
    ? Object.fromEntries(error.details.map(({ field, message }) => [field, sentence(message)]))
    : {};

/** A named detail, such as `existing_contact_id` of a conflict. */
export const errorDetail = (error: unknown, name: string): string | undefined =>
  error instanceof ApiError && error.details && !isList(error.details) ? error.details[name] : undefined;

/** What to say about an error of any kind. */
export const errorMessage = (error: unknown): string =>
  error instanceof ApiError ? error.message : 'Something went wrong. Reload the page and try again.';
