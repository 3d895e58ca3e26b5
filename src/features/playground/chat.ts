import { MAX_READ_BYTES, type WebhookResult } from '../webhooks/webhook.response.ts';
import type { WebhookRequest } from '../webhooks/webhook.sender.ts';
import { type WebhookRules, webhookUrlProblem } from '../webhooks/webhook.url.ts';
import type { ChatModelRow } from './chat-model.store.ts';

const PATH = '/chat/completions';
const MAX_ERROR = 300;

const MODEL = {
  absolute: 'Send an absolute URL such as https://api.example.com/v1.',
  credentials: 'Remove the user name and password. Send the key as api_key instead.',
};

const withoutSlashes = (url: string): string => {
  let end = url.length;
  while (url[end - 1] === '/') end--;
  return url.slice(0, end);
};

/** Why a URL cannot be that of a chat model, and what to send instead. */
export const modelUrlProblem = (url: string, rules: WebhookRules): string | undefined => {
  const problem = webhookUrlProblem(url, rules, MODEL);
  if (problem) return problem;
  if (url.includes('?')) return 'Remove the query, the part from the ? on.';
  return withoutSlashes(url).endsWith(PATH) ? `Remove ${PATH}. Roster adds it.` : undefined;
};

/** The request for the next message of a chat. */
export const chatRequest = (
  { id, url, model }: ChatModelRow,
  key: string | undefined,
  messages: readonly { readonly role: string; readonly content: string }[],
): Omit<WebhookRequest, 'timeoutMs'> => ({
  url: withoutSlashes(url) + PATH,
  pool: id,
  headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
  body: JSON.stringify({ model, messages, stream: false }),
  keepBytes: MAX_READ_BYTES,
});

type Completion = { readonly choices?: readonly { readonly message?: { readonly content?: unknown } }[] };
type Failure = { readonly error?: { readonly message?: unknown } | string };

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The model's own words about its error. Other text of a response is not shown: the URL may be that of another program. */
const wordsOf = (body: unknown, withoutKey: (text: string) => string): string | undefined => {
  const { error } = (body ?? {}) as Failure;
  const words = typeof error === 'string' ? error : error?.message;
  return typeof words === 'string' ? withoutKey(words).slice(0, MAX_ERROR).toWellFormed() : undefined;
};

const problemOf = ({ status, error, response_body }: WebhookResult, words: string | undefined): string => {
  if (status !== null && status >= 400)
    return words
      ? `The receiver answered ${status}: ${words}`
      : `The receiver answered ${status}. Check the URL: chats go to ${PATH} below it.`;
  if (error !== null) return error;
  if (words) return `The receiver answered with an error: ${words}`;
  return Buffer.byteLength(response_body) >= MAX_READ_BYTES
    ? 'The answer is larger than 64 KB.'
    : 'The answer is not that of an OpenAI-compatible API: choices[0].message.content is missing.';
};

/** What a model said, or why it did not, as a text that can be sent again. A key that the receiver repeats is removed. */
export const replyOf = (result: WebhookResult, key: string | undefined) => {
  const body = parsed(result.response_body);
  const content = (body as Completion | null | undefined)?.choices?.[0]?.message?.content;
  const { duration_ms } = result;
  const withoutKey = (text: string) => {
    const sent = text.toWellFormed().replaceAll('\0', '');
    return key === undefined ? sent : sent.replaceAll(key, '…');
  };
  return result.error === null && typeof content === 'string'
    ? { reply: withoutKey(content), error: null, duration_ms }
    : { reply: null, error: withoutKey(problemOf(result, wordsOf(body, withoutKey))), duration_ms };
};
