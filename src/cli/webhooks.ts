import { setTimeout as pause } from 'node:timers/promises';
import { ConfigError } from '../config/config.ts';
import { readVariable } from '../config/secret-variables.ts';
import { feedFields } from '../features/events/event.schema.ts';
import type { WebhookResult } from '../features/webhooks/webhook.response.ts';
import { WebhookSender } from '../features/webhooks/webhook.sender.ts';
import { webhookUrlProblem } from '../features/webhooks/webhook.url.ts';
import { onInterrupt } from '../lib/interrupt.ts';
import { version } from '../lib/version.ts';
import { isWebhookSecret, newWebhookSecret, signWebhook } from '../lib/webhook-signature.ts';
import { type Command, type ParsedArgs, pluralize, readField, UsageError } from './command.ts';
import { FEED_OPTIONS, readConnection } from './feed.options.ts';
import { type FeedEvent, openFeed, TYPE_WIDTH } from './feed.ts';
import { printError, printStyled, printText } from './output.ts';

/** The command runs on the machine of the developer, who may reach every address from there. */
const RULES = { allowHttp: true, mayReach: () => true };

/** The pauses before the second and later attempts. */
const PAUSES_MS = [500, 1_000, 2_000];
const ATTEMPTS = PAUSES_MS.length + 1;

const readForward = (url = ''): string => {
  const problem = webhookUrlProblem(url, RULES);
  if (problem) throw new UsageError(`--forward is not valid. ${problem}`);
  return url;
};

const readSecret = (): string | undefined => {
  const secret = readVariable(process.env, 'WEBHOOK_SECRET');
  if (secret === undefined || isWebhookSecret(secret)) return secret;
  throw new ConfigError('WEBHOOK_SECRET must be whsec_ and 24 to 64 bytes in base64, or not set.');
};

/** Prints an attempt, and what happens after it if it has failed. */
const printAttempt = (
  { id, type }: FeedEvent,
  { result, status, error, duration_ms }: WebhookResult,
  { attempt, next, json }: { attempt: number; next: string; json: boolean },
) => {
  const isDelivered = result === 'delivered';
  const fields = { event_id: id, event_type: type, attempt, result, status, error, duration_ms };
  if (json) return printText(`${JSON.stringify(fields)}\n`);
  printStyled([
    { text: type.padEnd(TYPE_WIDTH) },
    { text: id, format: 'gray' },
    { text: status === null ? 'no response' : `${status}`, format: isDelivered ? 'green' : 'red' },
    { text: `${duration_ms} ms`, format: 'gray' },
    ...(isDelivered ? [] : [{ text: `${error} ${next}`, format: 'red' } as const]),
  ]);
};

/** Sends an event until the receiver accepts it, at most `ATTEMPTS` times. Returns whether it was delivered. */
const forward = async (
  event: FeedEvent,
  send: (event: FeedEvent) => Promise<WebhookResult>,
  json: boolean,
): Promise<boolean> => {
  for (let attempt = 1; ; attempt++) {
    const sent = await send(event);
    const pauseMs = PAUSES_MS[attempt - 1];
    const retry = pauseMs && `Retrying in ${pluralize(pauseMs / 1_000, 'second')}.`;
    const isGone = sent.result === 'gone';
    const gone = isGone && 'Skipped: the service would disable the endpoint.';
    const next = gone || retry || `Skipped after ${ATTEMPTS} attempts.`;
    printAttempt(event, sent, { attempt, next, json });
    if (sent.result === 'delivered') return true;
    if (isGone || pauseMs === undefined) return false;
    await pause(pauseMs);
  }
};

const listen = async (args: ParsedArgs): Promise<void> => {
  const url = readForward(args.text('forward'));
  const payload = readField('payload', feedFields.payload, args.text('payload') ?? 'snapshot');
  const connection = readConnection(args);
  const givenSecret = readSecret();
  const secret = givenSecret ?? newWebhookSecret();

  const sender = new WebhookSender({ rules: RULES });
  const send = ({ id, json }: FeedEvent) => {
    const signed = signWebhook({ id, body: json }, [secret], new Date());
    const headers = { ...signed, 'user-agent': `Roster/${version}` };
    return sender.send({ url, pool: 'listen', headers, body: json });
  };
  let [delivered, skipped, last] = [0, 0, ''];
  const summarize = () => {
    const next = last ? ` To continue after the last one: --after ${last}` : '';
    printError(`\nDelivered ${pluralize(delivered, 'event')}, skipped ${skipped}.${next}\n`);
  };
  const events = await openFeed({ ...connection, payload });
  printError(`Forwarding the events of ${connection.url} to ${url}. Press Ctrl+C to stop.\n`);
  if (givenSecret === undefined)
    printError(
      `Signed with a secret for this run. In the shell of the receiver:\n  export WEBHOOK_SECRET=${secret}\n`,
    );
  const removeHandler = onInterrupt(summarize);
  try {
    for await (const event of events) {
      if (await forward(event, send, args.json)) delivered += 1;
      else skipped += 1;
      last = event.id;
    }
  } catch (error) {
    summarize();
    throw error;
  } finally {
    removeHandler();
    sender.close();
  }
};

export const webhooksCommand: Command = {
  forms: {
    [`roster webhooks listen --forward URL [--url URL] [--after ID|latest|oldest] [--types TYPE,…]
                         [--payload snapshot|thin] [--json]`]: [
      'Sends each event of a running service to a URL, signed like a webhook, for development. Reads an API key from ROSTER_KEY.',
      listen,
    ],
  },
  options: {
    forward: 'URL of the receiver, such as http://localhost:3001/hooks.',
    ...FEED_OPTIONS,
    payload: 'snapshot, or thin (without the data). Default: snapshot.',
    json: 'Print each attempt as one line of JSON.',
  },
};
