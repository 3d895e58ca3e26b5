/** A dialer for one campaign. README.md says how to run it; start it as often as you like, on as many machines as you like. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Claim, type RequestOptions, Roster, RosterError, type Schemas } from '@roster/client';
import { type CallEvent, Channel, type Session } from '@roster/client/runtime';
import { loadDial, type Outcome } from './dial.ts';

const LEASE_SECONDS = Number(process.env.LEASE_SECONDS ?? 120);
const RETRY_MINUTES = 60;
const IDLE_MS = 5_000;

const exit = (message: string): never => {
  console.error(message);
  process.exit(1);
};

const { CHANNEL: id = '', CHANNEL_SECRET: secret = '', ROSTER_URL, ROSTER_KEY } = process.env;
const [campaign = '', telephony = '', lines = '1'] = process.argv.slice(2);
if (!telephony || !(Number(lines) >= 1)) exit('Usage: node dialer.ts CAMPAIGN TELEPHONY [LINES]');
if (!id || !secret || !ROSTER_URL || !ROSTER_KEY)
  exit('Set ROSTER_URL, ROSTER_KEY, CHANNEL, CHANNEL_SECRET.');
// Before the first claim, because each one counts as an attempt.
const dial = await loadDial(telephony).catch((error) => exit(error.message));

const roster = new Roster();
const onDrop = (event: CallEvent, reason: unknown) =>
  console.error('Dropped:', JSON.stringify(event), reason);
const channel = new Channel({ id, secret, onDrop });

/** The result for the campaign. A person who was not reached is called again, as often as the schedule allows. */
const resultOf = ({ status, disposition: outcome = status }: Outcome): Schemas['EnrollmentUpdate'] => {
  if (status === 'completed' || status === 'failed') return { status, outcome };
  const retry = new Date(Date.now() + RETRY_MINUTES * 60_000);
  return { status: 'pending', outcome, retry_at: retry.toISOString() };
};

/** Handles the errors with these codes. */
const handling =
  <T>(codes: string[], handle: (error: RosterError) => T) =>
  (error: unknown): T => {
    if (error instanceof RosterError && codes.includes(error.code)) return handle(error);
    throw error;
  };

/** Ends all lines: repeating does not help. */
const giveUp = (cause: RosterError) => Promise.reject<never>(new Error(cause.message, { cause }));

const callContact = async (claim: Claim, config: Session['config']) => {
  const { claim_id, contact, instructions = '', sha256 } = claim;
  const update = (fields: Schemas['EnrollmentUpdate'], options: RequestOptions) =>
    roster.campaigns.updateEnrollment(campaign, contact.id, { claim_id, ...fields }, options);
  // An attempt is one call, whatever is repeated.
  const call = { provider_id: claim_id, direction: 'outbound', number: contact.phone_number } as const;
  // Otherwise the contact would wait until the lease ends.
  const release = (error: unknown) => update({ status: 'pending' }, {}).then(() => Promise.reject(error));
  const { session_id, recent } = await channel.session(call).catch(release);
  const report = (event: Partial<CallEvent>) =>
    void channel.report({ ...call, type: 'call', session_id, instructions_sha256: sha256, ...event });

  // While the lease runs, no other dialer gets the contact.
  const extend = () => void update({ lease_seconds: LEASE_SECONDS }, { maxRetries: 0 }).catch(() => {});
  const extending = setInterval(extend, (LEASE_SECONDS * 1000) / 3);
  report({ status: 'ringing' });
  const answered = () => report({ status: 'in_progress' });
  const outcome = await dial({ call_id: claim_id, contact, instructions, config, recent, answered })
    .catch((error): Outcome => ({ status: 'failed', summary: [...String(error)].slice(0, 2_000).join('') }))
    .finally(() => clearInterval(extending));
  const { status, seconds, ended_by, ...result } = outcome;
  report({ status, seconds, ended_by });
  // On its own, so that a result which the workspace does not accept leaves the end alone.
  report(result);
  // Without a result, the person would be called again.
  const patient = { maxRetries: 10_000, totalTimeoutMs: 0 };
  const { disposition } = outcome;
  const byStatus = () => update(resultOf(outcome), patient);
  // The campaign's retry rules decide, if one of them is for this disposition.
  const byRule = () => update({ disposition }, patient).catch(handling(['VALIDATION_ERROR'], byStatus));
  // Otherwise the claim has ended, or the contact was deleted: the result belongs to no one.
  await (disposition ? byRule() : byStatus()).catch(
    handling(['CONFLICT', 'NOT_FOUND'], (error) => console.warn(claim_id, error.message)),
  );
};

/** One line: claims a contact, calls it, and claims the next one, until the signal or the campaign's end. */
const runLine = async (signal: AbortSignal): Promise<void> => {
  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {});
  while (!signal.aborted) {
    try {
      // While the channel has no agent, a claim would only use up an attempt.
      await channel.agent();
      if (signal.aborted) return;
      const request = roster.campaigns.claim(campaign, { lease_seconds: LEASE_SECONDS, render: true });
      const wrong = handling(['NOT_FOUND', 'VALIDATION_ERROR'], giveUp);
      const { data, headers } = await request.withResponse().catch(wrong);
      const [claim] = data.claims;
      if (claim) await callContact(claim, data.config ?? {});
      else if (data.campaign.status === 'finished') return;
      else await pause(Math.min(IDLE_MS, Number(headers.get('retry-after') ?? 5) * 1000));
    } catch (error) {
      if (!(error instanceof RosterError)) throw error;
      if (error.status === 401 || error.status === 403) await giveUp(error);
      // The client has repeated the request. A claimed contact is due again when its lease ends.
      console.error(error.message);
      await pause(IDLE_MS);
    }
  }
};

const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());
const running = Array.from({ length: Number(lines) }, () => runLine(stopping.signal));
await Promise.all(running).catch((error) => {
  console.error(error.cause instanceof RosterError ? error.message : error);
  process.exitCode = 1;
  stopping.abort();
});
// After a signal or an error, calls in progress end as usual.
await Promise.allSettled(running);
for (const event of await channel.close()) console.error('Not reported:', JSON.stringify(event));
