import type { Db } from '../../db/db.ts';
import { read } from '../../db/operation.ts';
import { invalidField, notFound } from '../../lib/errors.ts';
import { withMember } from '../../lib/json.ts';
import { chain, type MaybePromise } from '../../lib/maybe-promise.ts';
import { existingContact } from '../contacts/contact.merged.ts';
import { contactId } from '../contacts/contact.service.ts';
import { identityOf } from '../contacts/phone.identity.ts';
import { phoneProblem } from '../contacts/phone.ts';
import { fieldsOf } from '../fields/field.store.ts';
import { mergeValues } from '../fields/field.values.ts';
import type { Principal } from '../workspaces/principal.ts';
import { parseAgentId } from './agent.service.ts';
import type { VersionKey } from './deploy.service.ts';
import { type ContactVariable, contactVariables } from './placeholders.ts';
import type { DescribedContact, RenderInput } from './render.schema.ts';
import { type RenderedContact, rendererFor } from './render.service.ts';
import { type ContactBy, findInput } from './render.store.ts';
import { versionBy } from './version.store.ts';

/** The contact that a request describes, in the form of a row. */
const describedRow = async (
  db: Db,
  { workspace }: Principal,
  { fields, tags = [], crm_ids = {}, ...described }: DescribedContact,
): Promise<RenderedContact> => ({
  ...NO_VALUES,
  ...described,
  phone_identity: identityOf(described.phone_number ?? '') ?? null,
  tags: JSON.stringify(tags),
  crm_ids: JSON.stringify(crm_ids),
  fields: fields ? mergeValues('{}', fields, await fieldsOf(db, workspace), 'contact.fields') : '{}',
});

const NO_VALUES = Object.fromEntries(contactVariables.map((name) => [name, null])) as Record<
  ContactVariable,
  null
>;

/** How a request names its contact. One that it describes is not looked up. */
const contactBy = ({ contact_id, phone_number, contact }: RenderInput): readonly [ContactBy, string] => {
  if (contact_id !== undefined || contact) return ['id', contactId.parse(contact_id ?? '') ?? ''];
  const number = phone_number ?? '';
  const identity = identityOf(number);
  if (identity !== undefined) return ['phone_identity', identity];
  throw invalidField('phone_number', phoneProblem(number) ?? 'must be an international number.');
};

export const renderVersion = read(
  'renderVersion',
  (
    db,
    principal: Principal,
    { variables, instructions, agent, version: name, ...who }: VersionKey & RenderInput,
  ): MaybePromise<{ json: string }> => {
    const [byVersion, version] = versionBy(name);
    const [byContact, contact] = contactBy(who);
    const key = { workspace: principal.workspace, agent: parseAgentId(agent), version, contact, since: '' };
    return chain(findInput(db, [byVersion, byContact], key), (input) => {
      if (!input || input.agent_deleted_at !== null) throw notFound('agent');
      if (input.version === null) throw notFound('version of this agent');
      if (!who.contact && input.id === null) return existingContact<never>(db, principal, contact, undefined);
      const row = who.contact ? describedRow(db, principal, who.contact) : (input as RenderedContact);
      const { version: id } = input;
      const named = { version: id, row: input, unsaved: instructions };
      return chain(row, (found) =>
        chain(rendererFor(db, principal, named), ({ render, version: { version_label, config } }) => {
          const { text, used, holes, sha256 } = render(found, variables);
          const head = { text, used, holes, sha256, version: { id, version_label } };
          return { json: withMember(JSON.stringify(head), 'config', config) };
        }),
      );
    });
  },
);
