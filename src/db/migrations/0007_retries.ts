import { dialect } from './dialect.ts';
import type { Migration } from './migration.ts';

export const retries: Migration = {
  name: 'answers kept for retries',
  statements: (engine) => {
    const { int8, table } = dialect[engine];
    return [
      // The first response to a request with an Idempotency-Key. After its record was deleted, only the row remains.
      `create table retries (
        workspace_id ${int8} not null references workspaces (id),
        route text not null,
        key_hash text not null,
        fingerprint text,
        answer text,
        subject text,
        made_at text not null,
        primary key (workspace_id, route, key_hash)
      ) ${table}`,
      'create index retries_by_age on retries (workspace_id, made_at)',
      'create index retries_of_subject on retries (workspace_id, subject) where subject is not null',
    ];
  },
};
