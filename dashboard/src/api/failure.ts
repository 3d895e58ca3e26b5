import type { Error as ErrorAnswer, Problem } from './types.gen.ts';

type Told = ErrorAnswer['error'];

/** `CONNECTION_LOST` is our own: no answer came at all. */
export type FailureCode = Told['code'] | 'CONNECTION_LOST';

/** A call that did not succeed. The message is written for the person who reads the page. */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly details: Told['details'];
  readonly requestId: string | undefined;

  constructor(code: FailureCode, message: string, details?: Told['details'], requestId?: string) {
    super(message);
    this.name = 'Failure';
    this.code = code;
    this.details = details;
    this.requestId = requestId;
  }
}

export const isFailure = (error: unknown, ...codes: FailureCode[]): error is Failure =>
  error instanceof Failure && (codes.length === 0 || codes.includes(error.code));

const isList = (details: Told['details']): details is readonly Problem[] => Array.isArray(details);

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What is wrong with which field, to show beside the fields of a form. */
export const problemsOf = (error: unknown): Readonly<Record<string, string>> =>
  error instanceof Failure && isList(error.details)
    ? Object.fromEntries(error.details.map(({ field, message }) => [field, sentence(message)]))
    : {};

/** A named detail, such as `existing_contact_id` of a conflict. */
export const detailOf = (error: unknown, name: string): string | undefined =>
  error instanceof Failure && error.details && !isList(error.details) ? error.details[name] : undefined;

/** What to say about an error of any kind. */
export const messageOf = (error: unknown): string =>
  error instanceof Failure ? error.message : 'Something went wrong on this page. Reload it and try again.';
