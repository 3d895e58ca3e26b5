import { longRead } from '../../db/operation.ts';
import { type Page, type PageRequest, pageRequestOf } from '../../lib/page.ts';
import { equalTo } from '../../records/list.declaration.ts';
import type { Principal } from '../workspaces/principal.ts';
import { contactId } from './contact.service.ts';
import type { StoredContact } from './contact.store.ts';
import { contactList } from './list.store.ts';
import { identityOf } from './phone.identity.ts';

const conflicting = contactList.view<Pick<StoredContact, 'wire' | 'phone_number' | 'phone_identity'>>({
  columns: ['wire', 'phone_number', 'phone_identity'],
});

/** Legacy contacts whose displayed number and identity conflict, each with the update that resolves it. */
export const listContactConflicts = longRead(
  'listContactConflicts',
  async (
    db,
    { workspace }: Principal,
    { contact_id = '', ...query }: Partial<PageRequest> & { contact_id?: string },
  ): Promise<Page> => {
    const contact = contactId.parse(contact_id) ?? contact_id;
    const plan = contactList.plan([{ filter: 'conflict' }, ...equalTo({ id: contact })], 'newest');
    const rows = await contactList.page(db, plan, conflicting, { workspace, ...pageRequestOf(query) });
    const total = await contactList.total(db, plan, workspace);
    const conflicts = rows.map(({ wire, phone_number, phone_identity }) => {
      // A contact without an identity has a number whose identity belongs to another contact.
      const phone = phone_identity ?? identityOf(phone_number) ?? null;
      const repair = { phone_number: phone, confirm_phone_change: true };
      return `{"contact":${wire},"normalized_phone":${JSON.stringify(phone)},"repair":${JSON.stringify(repair)}}`;
    });
    return { json: conflicts.join(','), total };
  },
);
