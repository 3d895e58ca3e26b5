import type { Db } from '../../db/db.ts';
import { operationNamed, read, write } from '../../db/operation.ts';
import type { Expiry } from '../../jobs/expiry.ts';
import { cancelJob } from '../../jobs/job.service.ts';
import { timestamp } from '../../lib/clock.ts';
import { ApiError, conflict, type ErrorCode } from '../../lib/errors.ts';
import type { Principal } from '../workspaces/principal.ts';
import * as store from './idempotency.store.ts';

export const RETENTION_DAYS = 1;
const RETENTION_MS = RETENTION_DAYS * 86_400_000;

/** Records outside of this window are ignored. Those in the future were written while the clock was wrong. */
const retentionWindow = () => ({
  since: new Date(Date.now() - RETENTION_MS).toISOString(),
  until: new Date(Date.now() + RETENTION_MS).toISOString(),
});

/** A request with a key. The hash and the fingerprint identify it without storing its content. */
export interface Attempt {
  readonly route: string;
  readonly key_hash: string;
  readonly fingerprint: string;
  readonly request_id: string;
}

/** The result or the error of the first request, and its id. */
export interface Outcome {
  readonly request_id: string;
  readonly value?: unknown;
  readonly refused?: Pick<ApiError, 'code' | 'message' | 'details' | 'headers'>;
  /** Instead of a value that contains a secret: the id of the record, if it has one. */
  readonly withheld?: { readonly id: string | null };
}

export interface Answer {
  /** The outcome as JSON, also for the first request, so that every response comes from the same text, except for a secret. */
  readonly answer: string;
  readonly isReplay: boolean;
}

const STORED_REFUSALS: ReadonlySet<ErrorCode> = new Set(['NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED']);

/** Errors that depend on stored records are stored for the key, unless they ask for a retry. After all others, a corrected request may
 *  reuse the key. */
const isStored = (error: unknown): error is ApiError =>
  error instanceof ApiError && STORED_REFUSALS.has(error.code) && error.headers['Retry-After'] === undefined;

export const lockNameOf = ({ workspace }: Principal, { route, key_hash }: Attempt): string =>
  `${workspace} ${route} ${key_hash}`;

export const stillRunning = (): ApiError =>
  conflict('A request with this Idempotency-Key is still in progress. Retry in 1 second.', undefined, {
    'Retry-After': '1',
  });

/** The answer to a retry of a request whose response contained a secret. */
export const secretShownOnce = ({ id }: { readonly id: string | null }): ApiError =>
  conflict(
    'A request with this Idempotency-Key already succeeded. Its response contained a secret, which is shown only once. If you did not receive it, rotate the secret, or delete the record and create another one.',
    id === null ? undefined : { existing_id: id },
  );

/** The stored answer for a key; undefined if the key is new. */
export const findAnswer = read(
  'findAnswer',
  async (db, { workspace }: Principal, { route, key_hash, fingerprint }: Attempt) => {
    const found = await db.get(store.findRecord, { workspace, route, key_hash, ...retentionWindow() });
    if (!found) return undefined;
    if (found.answer === null)
      throw conflict(
        'This Idempotency-Key was already used, and the record it returned has since been deleted. Nothing was changed. To run the request again, use a new key.',
      );
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
    if (!isStored(error)) throw error;
    const { code, message, details, headers } = error;
    return { request_id, refused: { code, message, details, headers } };
  }
};

/** Earlier releases stored the JSON of a record as `wire`. */
export const parseOutcome = (answer: string): Outcome => {
  const outcome = JSON.parse(answer);
  if (outcome.value?.wire === undefined) return outcome;
  const { wire: json, ...value } = outcome.value;
  return { ...outcome, value: { json, ...value } };
};

/** The record in an outcome (the contact of an enrollment), or the one that caused a conflict. */
const subjectOf = ({ value, refused }: Outcome): string | null => {
  if (refused) return Object(refused.details).existing_contact_id ?? null;
  const result = Object(value);
  const record = result.json === undefined ? result : JSON.parse(result.json);
  return record.id ?? record.contact_id ?? null;
};

export interface OnceInput {
  readonly attempt: Attempt;
  /** Whether the result contains a secret, which must not be stored. */
  readonly returnsSecret?: boolean;
  readonly operation: string;
  readonly input: unknown;
}

/** Runs an operation, by name, if the key is new, and otherwise returns the stored answer. The operation and its answer are
 *  written in one transaction; if the operation throws, only the error is stored. */
export const once = write('once', async (db, principal: Principal, request: OnceInput): Promise<Answer> => {
  const { attempt, operation, input, returnsSecret = false } = request;
  const { workspace } = principal;
  const { route, key_hash, fingerprint, request_id } = attempt;
  const [claimed, found] = await Promise.all([
    db.get(store.tryLockName, { workspace, name: lockNameOf(principal, attempt) }),
    findAnswer(db, principal, attempt),
  ]);
  if (found) return found;
  if (!claimed?.is_ours) throw stillRunning();
  const outcome = await outcomeOf(db, request_id, () => operationNamed(operation)(db, principal, input));
  const answer = JSON.stringify(outcome);
  const subject = subjectOf(outcome);
  const stored =
    returnsSecret && !outcome.refused
      ? JSON.stringify({ request_id, withheld: { id: subject } } satisfies Outcome)
      : answer;
  const record = { fingerprint, answer: stored, subject, made_at: timestamp() };
  await Promise.all([
    db.run(store.deleteExpired, { workspace, route, key_hash, ...retentionWindow() }),
    db.run(store.insertRecord, { workspace_id: workspace, route, key_hash, ...record }),
  ]);
  return { answer, isReplay: false };
});

/** Erases the answers that contain or name deleted contacts. */
export const eraseAnswers = async (db: Db, { workspace }: Principal, contacts: readonly { id: string }[]) => {
  await db.each(
    store.eraseSubject,
    contacts.map(({ id }) => ({ workspace, subject: id })),
  );
};

/** Few, so that other writes do not wait long for a step. */
const STEP = 500;

/** Deletes some expired records of a workspace, and returns how many. */
export const expireAnswers = write('expireAnswers', async (db, _: null, expiry: Expiry): Promise<number> => {
  // Earlier releases did it in a job.
  await cancelJob(db, { workspace: expiry.workspace, kind: 'retries.expiring', subject: '' });
  return db.run(store.deleteExpiredBatch, { ...expiry, limit: STEP });
});
