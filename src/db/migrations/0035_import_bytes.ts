import { dialect } from './dialect.ts';
import type { Migration } from './migration.ts';

/** How many bytes the rows of an import take, for the quota of a workspace. Earlier imports count as none. */
export const importBytes: Migration = {
  name: 'bytes of imports',
  statements: (engine) => [
    `alter table imports add column stored_bytes ${dialect[engine].int8} not null default 0`,
    'create index imports_with_rows on imports (workspace_id, stored_bytes) where stored_bytes > 0',
  ],
};
