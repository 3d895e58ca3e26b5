import type { ApiError, ErrorCode } from '../../lib/errors.ts';
import { type ToolResult, textRange } from './answer.ts';

/** What to do after an error of a tool. */
const remedies: Partial<Record<ErrorCode, string>> = {
  VALIDATION_ERROR: 'Correct the arguments that the message names, and call the tool again.',
  FORBIDDEN: 'Do not retry. Tell the user which scope is missing; an owner can create a key that has it.',
  NOT_FOUND:
    'Check the id: find_people, list_agents, campaign_status, import_status and list_calls show valid ones.',
  CONFLICT: 'Read the current state, then do what the message says. Do not repeat the same call.',
};

/** Leaves room for what to do and the id of the request. */
const MAX_TEXT_BYTES = 6_000;

/** An error as the result of a tool, which the model reads and can act on. */
export const errorResult = ({ code, message, details }: ApiError, requestId?: string): ToolResult => {
  const whole = `${code}: ${message}${details ? `\nDetails: ${JSON.stringify(details)}` : ''}`;
  const remedy = remedies[code];
  const lines = [
    textRange(whole, 0, MAX_TEXT_BYTES).part,
    remedy && `What to do: ${remedy}`,
    requestId && `Request id: ${requestId}`,
  ];
  return { content: [{ type: 'text', text: lines.filter(Boolean).join('\n') }], isError: true };
};
