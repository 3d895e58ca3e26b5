import { t } from '../lib/i18n.ts';
import type { Error as ErrorAnswer, Problem } from './types.gen.ts';

type ErrorBody = ErrorAnswer['error'];

/** `CONNECTION_LOST` is set by the client when no response arrived. */
export type ApiErrorCode = ErrorBody['code'] | 'CONNECTION_LOST';

/** An API request that failed. The message can be shown to the user. */
export class ApiError extends Error {
  readonly code: ApiErrorCode;
  readonly details: ErrorBody['details'];
  readonly requestId: string | undefined;

  constructor(code: ApiErrorCode, message: string, details?: ErrorBody['details'], requestId?: string) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.details = details;
    this.requestId = requestId;
  }
}

export const isApiError = (error: unknown, ...codes: ApiErrorCode[]): error is ApiError =>
  error instanceof ApiError && (codes.length === 0 || codes.includes(error.code));

const isList = (details: ErrorBody['details']): details is readonly Problem[] => Array.isArray(details);

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The error messages by field, to show next to the fields of a form. */
export const fieldErrors = (error: unknown): Readonly<Record<string, string>> =>
  error instanceof ApiError && isList(error.details)
    ? Object.fromEntries(error.details.map(({ field, message }) => [field, sentence(message)]))
    : {};

/** A named detail of an error, such as `existing_contact_id` of a conflict. */
export const errorDetail = (error: unknown, name: string): string | undefined =>
  error instanceof ApiError && error.details && !isList(error.details) ? error.details[name] : undefined;

/** The message to show for any error. */
export const errorMessage = (error: unknown): string =>
  error instanceof ApiError ? error.message : t('Something went wrong. Reload the page and try again.');
