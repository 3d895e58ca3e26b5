import { longRead } from '../../db/operation.ts';
import { equalTo } from '../../records/list.declaration.ts';
import { callOf } from '../calls/call.service.ts';
import { findListedCalls } from '../calls/call.store.ts';
import { isKeyWithout, type Principal } from '../workspaces/principal.ts';
import { enrollmentList, exportedEnrollments } from './campaign.lists.ts';
import type { EnrollmentExportQuery } from './campaign.schema.ts';
import { enrollmentOf } from './enrollment.events.ts';

interface Step {
  /** The id as it is stored. */
  readonly campaign: string;
  readonly filters: EnrollmentExportQuery;
  /** The last contact of the previous step. */
  readonly after: string | undefined;
  readonly limit: number;
}

/** The next enrollments of an export, oldest contacts first; `next` is undefined after the last. A key without `contacts:read` gets no names
 *  and numbers, and one without `calls:read` nothing about calls. */
export const exportEnrollmentsStep = longRead(
  'exportEnrollmentsStep',
  async (db, principal: Principal, { campaign, filters, after, limit }: Step) => {
    const { workspace } = principal;
    const plan = enrollmentList.plan(equalTo({ campaign_id: campaign, ...filters }), 'contact');
    const page = { workspace, limit, after: after === undefined ? undefined : { key: '', seq: after } };
    const rows = await enrollmentList.page(db, plan, exportedEnrollments, page);
    const ids = JSON.stringify(rows.flatMap(({ last_call_id }) => last_call_id ?? []));
    const calls = isKeyWithout(principal, 'calls:read')
      ? []
      : await db.all(findListedCalls, { workspace, ids });
    const byId = new Map(calls.map((row) => [row.id, callOf(row)]));
    const hidesContacts = isKeyWithout(principal, 'contacts:read');
    const records = rows.map((row) => {
      const { reason, contact_name, contact_phone_number, ...enrollment } = enrollmentOf(row);
      const call = byId.get(row.last_call_id ?? '');
      return {
        ...enrollment,
        contact_name: hidesContacts ? null : contact_name,
        contact_phone_number: hidesContacts ? null : contact_phone_number,
        reason: reason?.code ?? null,
        missing: reason?.holes.join(', ') ?? null,
        last_call_id: call?.id ?? null,
        last_call_at: call?.started_at ?? null,
        last_call_status: call?.status ?? null,
        last_call_disposition: call?.disposition ?? null,
        last_call_goals: call?.goals ?? null,
      };
    });
    return { records, next: rows.length < limit ? undefined : rows.at(-1)?.contact_id };
  },
);

/** The columns of the file. */
export const exportColumns = [
  'contact_id',
  'contact_name',
  'contact_phone_number',
  'status',
  'reason',
  'missing',
  'attempts',
  'outcome',
  'enrolled_at',
  'last_attempt_at',
  'retry_at',
  'lease_expires_at',
  'updated_at',
  'last_call_id',
  'last_call_at',
  'last_call_status',
  'last_call_disposition',
  'last_call_goals',
] as const;
