import { dialect } from './dialect.ts';
import type { Migration } from './migration.ts';

/** The log of changes that other systems read. `seq` is the position of an event; a negative one is provisional (see
 *  `provisionalSeq` in ../dialect.ts). */
export const events: Migration = {
  name: 'events',
  statements: (engine) => {
    const { int8, order, index } = dialect[engine];
    return [
      `create table events (
        workspace_id ${int8} not null references workspaces (id),
        seq ${order},
        at text not null,
        type text not null,
        subject text not null,
        contact_id text,
        agent_id text,
        campaign_id text,
        actor text not null,
        request_id text,
        changed text,
        data text,
        primary key (workspace_id, seq)
      ) ${index}`,
      // To erase the snapshots of a deleted contact.
      `create index events_of_contact on events (workspace_id, contact_id, seq) where contact_id is not null`,
      // To erase the number of a deleted contact from the snapshots of calls that are not linked to it.
      `create index events_of_call on events (workspace_id, subject) where type in ('call.recorded', 'call.updated')`,
    ];
  },
};
