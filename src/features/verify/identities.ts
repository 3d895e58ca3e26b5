import { type Check, FindingCollector, readInBatches, sqlCheck } from '../../db/check.ts';
import { currentOf, isAmong } from '../contacts/identity.column.ts';
import type { IdentityRow } from '../contacts/identity.store.ts';

type Held = IdentityRow & { identities: string | null; phone_identity: string | null };

export const identityChecks: readonly Check[] = [
  sqlCheck(
    'no number of a contact is an identity of someone else',
    () => `select 'the identity ' || i.id || ' is the number of ' || c.id as what from identities as i
    join contacts as c on c.workspace_id = i.workspace_id and c.phone_identity = i.value
    where i.kind = 'phone' and i.valid_until is null and coalesce(i.contact_id, '') <> c.id`,
    43,
  ),
  {
    name: 'current identities are in the rows of their contacts',
    since: 43,
    find: async (snapshot) => {
      const found = new FindingCollector();
      const rows = `select c.* from (select i.workspace_id, i.id, i.kind, i.value, k.identities, k.phone_identity from identities as i
        join contacts as k on k.workspace_id = i.workspace_id and k.id = i.contact_id where i.valid_until is null) as c`;
      for await (const batch of readInBatches<Held>(snapshot, rows, { key: 'id' }))
        for (const row of batch)
          if (!isAmong(row, currentOf(row)))
            found.add(`the identity ${row.id} is not in the row of its contact`);
      return found;
    },
  },
  sqlCheck(
    'the identities in the rows of contacts exist',
    ({ eachText }) => `select 'contact ' || c.id || ' lacks an identity' as what from contacts as c
    where c.identities is not null and (select count(*) from ${eachText('c.identities')}) > (
      select count(*) from identities as i where i.workspace_id = c.workspace_id and i.contact_id = c.id
      and i.valid_until is null and not (i.kind = 'phone' and i.value = coalesce(c.phone_identity, '')))`,
    43,
  ),
];
