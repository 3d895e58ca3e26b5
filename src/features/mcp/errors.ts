import type { ApiError, ErrorCode } from '../../lib/errors.ts';
import { type ToolResult, textRange } from './answer.ts';

/** What each error means for the caller of a tool, and what to do. */
export const errorHelp: Readonly<Record<ErrorCode, { meaning: string; remedy: string }>> = {
  VALIDATION_ERROR: {
    meaning: 'An argument is missing, unknown or not allowed. Nothing was changed.',
    remedy: 'Correct the arguments that the message names, and call the tool again.',
  },
  UNAUTHORIZED: {
    meaning: 'The API key is missing, unknown, revoked or expired.',
    remedy: 'Ask the user for a valid key: Settings → API keys in the dashboard, or `roster key create`.',
  },
  FORBIDDEN: {
    meaning: 'The API key does not have the scope that this needs. Nothing was changed.',
    remedy: 'Do not retry. Tell the user which scope is missing; an owner can create a key that has it.',
  },
  NOT_FOUND: {
    meaning: 'No such record in this workspace. It may have been deleted.',
    remedy:
      'Check the id: find_people, list_agents, campaign_status, import_status and list_calls show valid ones.',
  },
  METHOD_NOT_ALLOWED: {
    meaning: 'The path exists, but not with this HTTP method.',
    remedy: 'Use a method of the Allow header. MCP uses POST only.',
  },
  CONFLICT: {
    meaning:
      'The current state does not allow this: for example, a phone number is taken, or a plan is outdated.',
    remedy: 'Read the current state, then do what the message says. Do not repeat the same call.',
  },
  GONE: {
    meaning: 'The log of events no longer has the events after the given one.',
    remedy: 'Read the records again, then continue with after=latest.',
  },
  PRECONDITION_FAILED: {
    meaning: 'The record was changed since it was read. Nothing was changed.',
    remedy: 'Read the record again, then repeat the change.',
  },
  PAYLOAD_TOO_LARGE: {
    meaning: 'The request is too large.',
    remedy: 'Send less: fewer ids, or shorter texts. Instructions have at most 50,000 characters.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    meaning: 'The body has the wrong type.',
    remedy: 'Send JSON, uncompressed, with the header Content-Type: application/json.',
  },
  IDEMPOTENCY_MISMATCH: {
    meaning: 'An Idempotency-Key was used before with another request.',
    remedy: 'Use a new key for a new request. The tools of MCP do not use these keys.',
  },
  RATE_LIMITED: {
    meaning: 'The key has used its quota of requests.',
    remedy: 'Wait for the seconds in the message or in the header Retry-After, then retry.',
  },
  INTERNAL_ERROR: {
    meaning: 'The service failed. The error was logged with the request id.',
    remedy: 'Retry once. If it fails again, give the request id to the administrator.',
  },
  UNAVAILABLE: {
    meaning: 'The service is overloaded or cannot reach its database. Nothing was changed.',
    remedy: 'Wait for the seconds in the header Retry-After, then retry.',
  },
};

/** Leaves room for what to do and the id of the request. */
const MAX_TEXT_BYTES = 6_000;

/** An error as the result of a tool, which the model reads and can act on. */
export const errorResult = ({ code, message, details }: ApiError, requestId?: string): ToolResult => {
  const whole = `${code}: ${message}${details ? `\nDetails: ${JSON.stringify(details)}` : ''}`;
  const lines = [
    textRange(whole, 0, MAX_TEXT_BYTES).part,
    `What to do: ${errorHelp[code].remedy}`,
    requestId && `Request id: ${requestId}`,
  ];
  return { content: [{ type: 'text', text: lines.filter(Boolean).join('\n') }], isError: true };
};
