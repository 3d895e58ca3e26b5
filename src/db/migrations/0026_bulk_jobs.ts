import { dialect } from './dialect.ts';
import type { Migration } from './migration.ts';

/** `filter`, `ids` and `parameters` are JSON. The ids are those of the selection or, with a filter, those it leaves out. `progress` is the `seq` of the last contact of a filter, or a position in the list of ids. */
export const bulkJobs: Migration = {
  name: 'bulk_jobs',
  statements: (engine) => {
    const { int8, order, index } = dialect[engine];
    return [
      `create table bulk_jobs (
        workspace_id ${int8} not null references workspaces (id),
        id text not null,
        seq ${order},
        action text not null,
        status text not null,
        filter text,
        ids text not null,
        excluded int not null,
        parameters text not null,
        until_seq ${int8} not null,
        progress ${int8} not null,
        total int not null,
        processed int not null,
        changed int not null,
        unchanged int not null,
        missing int not null,
        blocked int not null,
        reasons text not null,
        error text,
        entry ${int8},
        created_by text not null,
        request_id text,
        created_at text not null,
        started_at text,
        finished_at text,
        primary key (workspace_id, id)
      ) ${index}`,
      'create unique index bulk_jobs_in_order on bulk_jobs (workspace_id, seq)',
    ];
  },
};
