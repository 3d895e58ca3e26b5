import { ApiError, type ErrorCode } from '../../lib/errors.ts';

/** Why a file cannot be read, as a message for the user. `line` counts from 1. */
export class FileProblem extends ApiError {
  readonly reason: string;
  readonly line: number | undefined;

  constructor(reason: string, line?: number, code: ErrorCode = 'VALIDATION_ERROR') {
    const message = line === undefined ? reason : `Line ${line}: ${reason}`;
    super(code, message, [{ field: 'file', message }]);
    this.reason = reason;
    this.line = line;
  }
}

/** Adds the line to a problem that was found without knowing it. */
export const withLine = (error: unknown, line: number): unknown =>
  error instanceof FileProblem && error.line === undefined
    ? new FileProblem(error.reason, line, error.code)
    : error;
