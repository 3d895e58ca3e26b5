import assert from 'node:assert/strict';
import type { Json, Reply, TestService } from '../service/test-service.ts';
import type { CheckedUser } from './checked-client.ts';

export type AuditReader = (query?: string) => Promise<Json[]>;

/** Reads the audit log as an owner, newest first. */
export const auditReader =
  ({ request }: Pick<CheckedUser, 'request'>): AuditReader =>
  (query = 'limit=100') =>
    request('GET', `/audit?${query}`);

/** The names of changed fields in a stored entry, which can have their values, too. */
export const changedNames = (fields: unknown): string[] | null => {
  const stored = fields === null ? null : JSON.parse(String(fields));
  return stored?.names ?? stored;
};

/** The stored audit entries of a request, oldest first, without values. */
export const entriesOfRequest = async ({ database }: TestService, reply: Reply): Promise<Json[]> => {
  const request = reply.headers.get('x-request-id');
  assert.ok(request);
  const rows = await database.query(
    `select actor, action, subject, parent, fields, counts from audit_entries where request_id = ? order by seq`,
    request,
  );
  return rows.map(({ fields, counts, ...row }) => {
    const read = (text: unknown) => (text === null ? null : JSON.parse(String(text)));
    return { ...row, fields: changedNames(fields), counts: read(counts) };
  });
};

export const countAuditEntries = async ({ database }: TestService): Promise<number> =>
  Number((await database.query('select count(*) as count from audit_entries'))[0]?.count);
