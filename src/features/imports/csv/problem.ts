import { ApiError, type ErrorCode } from '../../../lib/errors.ts';

/** A file that cannot be read, in words for the person who sent it. `line` says where, counted from 1. */
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

/** The same problem with its line, for those who find one without knowing where they are. */
export const located = (error: unknown, line: number): unknown =>
  error instanceof FileProblem && error.line === undefined
    ? new FileProblem(error.reason, line, error.code)
    : error;
