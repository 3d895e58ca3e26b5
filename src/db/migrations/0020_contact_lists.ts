import type { Migration } from './migration.ts';

const NAME = "coalesce(nullif(display_name, ''), first_name || ' ' || last_name, first_name, last_name, '')";

/** Both engines change only the case of ASCII letters. An expression over folded text would cost SQLite a quarter of its
 *  creates. */
const expressions = {
  sqlite: { name: `substr(lower(${NAME}), 1, 100)`, email: 'lower(email)' },
  postgres: { name: `left(lower(${NAME} collate "C"), 100)`, email: 'lower(email collate "C")' },
};

/** Indexes for sorted and filtered lists of contacts. They are over stored columns and expressions, so that rows of an earlier
 *  version of the program are included. */
export const contactLists: Migration = {
  name: 'sorted and filtered lists of contacts',
  statements: (engine) => {
    const { name, email } = expressions[engine];
    return [
      'create index contacts_by_creation on contacts (workspace_id, created_at, seq)',
      'create index contacts_by_update on contacts (workspace_id, updated_at, seq)',
      'create index contacts_by_last_contact on contacts (workspace_id, last_contact_at, seq)',
      'create index contacts_by_source on contacts (workspace_id, source, seq)',
      `create index contacts_by_name on contacts (workspace_id, (${name}), seq)`,
      `create index contacts_by_email on contacts (workspace_id, (${email}), seq) where email is not null`,
    ];
  },
};
