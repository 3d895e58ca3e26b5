import type { Db } from '../../db/db.ts';
import { type Operation, OperationRegistry, read, write } from '../../db/operation.ts';
import { completeStep, ensureJob, type JobRow, scheduleJob } from '../../jobs/job.service.ts';
import { timestamp } from '../../lib/clock.ts';
import { ApiError, type Details, type ErrorCode } from '../../lib/errors.ts';
import type { Principal } from '../workspaces/principal.ts';
import * as store from './idempotency.store.ts';

const HOUR_MS = 3_600_000;
const RETENTION_MS = 24 * HOUR_MS;

/** What is older is no longer known, nor what lies as far ahead: it was made under a clock that was wrong. */
const known = () => ({
  since: new Date(Date.now() - RETENTION_MS).toISOString(),
  until: new Date(Date.now() + RETENTION_MS).toISOString(),
});

const expiry = (workspace: number) => ({ workspace, kind: 'retries.expiring', subject: '', inMs: HOUR_MS });

/** One try of a request that bears a key: what it is known by, and what it asks. */
export interface Attempt {
  readonly route: string;
  readonly key_hash: string;
  readonly fingerprint: string;
  readonly request_id: string;
}

/** What became of the first try: what the operation gave, or why it refused; and in which request that was. */
export interface Outcome {
  readonly request_id: string;
  readonly value?: unknown;
  readonly refused?: Refusal;
}

interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: Details | undefined;
  readonly headers: Record<string, string>;
}

/** An outcome as JSON, so that the first try and all others are answered from the same text. */
export interface Answered {
  readonly answer: string;
  readonly isReplay: boolean;
}

/** Refusals that depend on the state of the records and are stored for the key. All others are not: a corrected request may
 *  reuse the key. */
const STORED_REFUSALS: ReadonlySet<ErrorCode> = new Set(['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED']);

export const nameOf = ({ workspace }: Principal, { route, key_hash }: Attempt): string =>
  `${workspace} ${route} ${key_hash}`;

export const stillRunning = (): ApiError =>
  new ApiError(
    'CONFLICT',
    'A request with this Idempotency-Key is still in progress. Retry in 1 second.',
    undefined,
    { 'Retry-After': '1' },
  );

/** The answer that was given to this key; undefined where it is new. */
export const findAnswer = read(
  'findAnswer',
  async (
    db: Db,
    { workspace }: Principal,
    { route, key_hash, fingerprint }: Attempt,
  ): Promise<Answered | undefined> => {
    const found = await db.get(store.findRetry, { workspace, route, key_hash, ...known() });
    if (!found) return undefined;
    if (found.answer === null) {
      throw new ApiError(
        'CONFLICT',
        'The record in the response for this Idempotency-Key was deleted, and this request changed nothing. To repeat the request, send a new key.',
      );
    }
    if (found.fingerprint === fingerprint) return { answer: found.answer, isReplay: true };
    throw new ApiError(
      'IDEMPOTENCY_MISMATCH',
      'This Idempotency-Key was already used for a different request. Send a new key, or repeat the original request.',
    );
  },
);

const outcomeOf = async (db: Db, request_id: string, work: () => unknown): Promise<Outcome> => {
  try {
    return { request_id, value: await db.savepoint(work) };
  } catch (error) {
    if (!(error instanceof ApiError && STORED_REFUSALS.has(error.code))) throw error;
    const { code, message, details, headers } = error;
    return { request_id, refused: { code, message, details, headers } };
  }
};

/** Reads a stored outcome. One that an earlier release stored names the JSON of its record `wire`. */
export const parseOutcome = (answer: string): Outcome => {
  const outcome = JSON.parse(answer);
  if (outcome.value?.wire === undefined) return outcome;
  const { wire: json, ...value } = outcome.value;
  return { ...outcome, value: { json, ...value } };
};

/** The record that an outcome shows, or the one that was in the way. */
const subjectOf = ({ value, refused }: Outcome): string | null => {
  if (refused) return Object(refused.details).existing_contact_id ?? null;
  const shown = Object(value);
  return (shown.json === undefined ? shown : JSON.parse(shown.json)).id ?? null;
};

/** What is asked of `once`: another operation, by its name. */
export interface OnceInput {
  readonly attempt: Attempt;
  readonly operation: string;
  readonly input: unknown;
}

export type Once = Operation<Principal, OnceInput, Answered, 'write'>;

/** Runs one of some operations for a key that is new, and else gives the first answer. The effect and the answer are one
 *  transaction; of an operation that refuses, the refusal is all that is kept. */
export const onceAmong = (operations: readonly Operation[]): Once => {
  const registry = new OperationRegistry(operations);
  return write('once', async (db: Db, principal: Principal, { attempt, operation, input }: OnceInput) => {
    const { workspace } = principal;
    const { route, key_hash, fingerprint, request_id } = attempt;
    const [claimed, found] = await Promise.all([
      db.get(store.claimName, { workspace, name: nameOf(principal, attempt) }),
      findAnswer(db, principal, attempt),
    ]);
    if (found) return found;
    if (!claimed?.is_ours) throw stillRunning();
    const outcome = await outcomeOf(db, request_id, () => registry.get(operation)(db, principal, input));
    const answer = JSON.stringify(outcome);
    const made = { fingerprint, answer, subject: subjectOf(outcome), made_at: timestamp() };
    await Promise.all([
      db.run(store.deleteOld, { workspace, route, key_hash, ...known() }),
      db.run(store.insertRetry, { workspace, route, key_hash, ...made }),
      ensureJob(db, expiry(workspace)),
    ]);
    return { answer, isReplay: false };
  });
};

/** A contact is deleted: no answer shows or names it any more. */
export const forgetAnswers = async (
  db: Db,
  { workspace }: Principal,
  { id }: { id: string },
): Promise<void> => {
  await db.run(store.forgetSubject, { workspace, subject: id });
};

/** One step of removing what is older than a day. The job comes again every hour, for as long as there is the workspace. */
export const expireAnswers = write(
  'expireAnswers',
  async (db: Db, _: null, { job, size }: { job: JobRow; size: number }): Promise<boolean> => {
    const { workspace_id: workspace } = job;
    const isDone = (await db.run(store.deleteSomeOld, { workspace, ...known(), limit: size })) < size;
    await (isDone ? scheduleJob(db, expiry(workspace)) : completeStep(db, job, false));
    return isDone;
  },
);
