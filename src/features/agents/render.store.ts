import { sql } from 'kysely';
import type { Db } from '../../db/db.ts';
import type { SqlDialect } from '../../db/dialect.ts';
import { columnsOf } from '../../db/rows.ts';
import { type Statement, statement } from '../../db/statement.ts';
import { chain, type MaybePromise } from '../../lib/maybe-promise.ts';
import { holderOf, secondaryHolderOf } from '../contacts/contact.holder.ts';
import { type ContactValues, VALUES } from '../contacts/contact.store.ts';
import { findByVariant } from '../contacts/phone.variants.ts';

/** What the renderings of an agent's versions need, besides the text and the contact. */
export interface ContextRow {
  /** The variables that the agent declares, as JSON. */
  readonly variables: string | null;
  readonly time_zone: string | null;
  /** `key:type` of each field, separated by commas, without the type if it is archived. */
  readonly types: string | null;
}

const contextOf = (workspace: number) => sql`
  a.variables, (select time_zone from workspaces where id = ${workspace}) as time_zone,
  (select string_agg(key || ':' || case when archived_at is null then type else '' end, ',')
    from contact_fields where workspace_id = ${workspace}) as types`;

export const findContext = statement(
  ({ workspace, agent }: { workspace: number; agent: string }) => sql<ContextRow>`
    select ${contextOf(workspace)} from agents as a
    where a.workspace_id = ${workspace} and a.id = ${agent} and a.deleted_at is null`,
);

/** How a request names a version, and a contact. */
type VersionBy = 'id' | 'number' | 'deployed';
export type ContactBy = 'id' | 'phone_identity';

type InputKey = {
  workspace: number;
  agent: string;
  version: string | number;
  contact: string;
  /** For the deployed version: the hashes of texts that were stored for the contact since this time are returned, separated by commas. */
  since: string;
};

/** The same with the version and the contact, as far as they exist; no row if the agent does not. */
type InputRow = ContextRow & {
  version: string | null;
  stored: string | null;
  agent_deleted_at: string | null;
} & (ContactValues | { id: null });

const storedSince = ({ workspace, since }: InputKey, dialect: SqlDialect) => sql`(
  select string_agg(r.sha256, ',') from renderings as r
  where r.workspace_id = ${workspace} and r.contact_id = c.id and ${dialect.withinRange(sql`r.at > ${since}`)})`;

const inputBy = (version: VersionBy, contact: ContactBy): Statement<InputKey, InputRow> =>
  statement(
    (args: InputKey, dialect) => sql<InputRow>`
      select ${contextOf(args.workspace)}, v.id as version, ${columnsOf(VALUES, 'c')},
        ${version === 'deployed' ? storedSince(args, dialect) : sql`null`} as stored, a.deleted_at as agent_deleted_at from agents as a
      left join agent_versions as v on v.workspace_id = ${args.workspace} and v.agent_id = a.id
        and ${version === 'deployed' ? sql`v.status = 'deployed'` : sql`${sql.ref(`v.${version}`)} = ${args.version}`}
      left join contacts as c on c.workspace_id = ${args.workspace} and ${sql.ref(`c.${contact}`)} = ${args.contact}
      where a.workspace_id = ${args.workspace} and a.id = ${args.agent}`,
  );
const inputsBy = (version: VersionBy): Record<ContactBy, Statement<InputKey, InputRow>> => ({
  id: inputBy(version, 'id'),
  phone_identity: inputBy(version, 'phone_identity'),
});

const statements: Readonly<Record<VersionBy, ReturnType<typeof inputsBy>>> = {
  id: inputsBy('id'),
  number: inputsBy('number'),
  deployed: inputsBy('deployed'),
};

/** Everything that one rendering needs but the text of the version, which is cached. A contact is looked for by its primary number first,
 *  then by its other numbers, and last by other forms of the number. */
export const findInput = (
  db: Db,
  [version, by]: readonly [VersionBy, ContactBy],
  key: InputKey,
): MaybePromise<InputRow | undefined> => {
  const found = db.get(statements[version][by], key);
  if (by === 'id' || key.contact === '') return found;
  const { workspace, contact: number } = key;
  return chain(found, (row) => {
    if (!row || row.id !== null) return row;
    const holder = chain(
      secondaryHolderOf(db, workspace, number),
      (id) => id ?? findByVariant(number, (form) => holderOf(db, workspace, form)),
    );
    return chain(holder, (contact) =>
      contact === undefined ? row : db.get(statements[version].id, { ...key, contact }),
    );
  });
};
