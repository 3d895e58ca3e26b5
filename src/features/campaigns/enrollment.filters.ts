import { sql } from 'kysely';
import type { Scope } from '../../records/list.declaration.ts';
import { addContactFilter } from '../contacts/filter.conditions.ts';
import { campaignId } from './campaign.service.ts';

const enrolled = ({ workspace, table }: Scope, condition = sql``) => sql`exists (select 1 from enrollments
  where enrollments.workspace_id = ${workspace} and enrollments.contact_id = ${sql.ref(`${table}.id`)} ${condition})`;

/** Adds the filters by campaign to the list of contacts. */
export const addEnrollmentFilters = (): void => {
  const scope = 'campaigns:read';
  addContactFilter('campaign', {
    where: (id, contact) => enrolled(contact, sql`and enrollments.campaign_id = ${id}`),
    parse: (id) => campaignId.parse(id) ?? id,
    scope,
  });
  addContactFilter('in_campaign', { where: (_, contact) => enrolled(contact), scope });
};
