import type { Db } from '../../db/db.ts';
import { read } from '../../db/operation.ts';
import { ApiError, invalid, invalidField, notFound, type Problem } from '../../lib/errors.ts';
import { contactId } from '../contacts/contact.service.ts';
import { findContactValues, findValuesByIdentity } from '../contacts/contact.store.ts';
import { identityOf } from '../contacts/phone.identity.ts';
import { phoneProblem } from '../contacts/phone.ts';
import { fieldsOf } from '../fields/field.store.ts';
import { type Definitions, mergeValues, type SentValues } from '../fields/field.values.ts';
import type { Principal } from '../workspaces/principal.ts';
import { parseAgentId } from './agent.service.ts';
import { getVersion, type VersionKey } from './deploy.service.ts';
import { type ContactVariable, contactVariables } from './placeholders.ts';
import type { DescribedContact, RenderInput } from './render.schema.ts';
import { type RenderedContact, rendererOf } from './render.service.ts';

/** The contact that a request describes, in the form of a row. */
const describedRow = async (
  db: Db,
  { workspace }: Principal,
  { fields = {}, tags = [], crm_ids = {}, ...described }: DescribedContact,
): Promise<RenderedContact> => ({
  ...NO_VALUES,
  ...described,
  phone_identity: identityOf(described.phone_number ?? '') ?? null,
  tags: JSON.stringify(tags),
  crm_ids: JSON.stringify(crm_ids),
  fields: fieldsColumn(fields, Object.keys(fields).length > 0 ? await fieldsOf(db, workspace) : new Map()),
});

const fieldsColumn = (sent: SentValues, definitions: Definitions): string => {
  try {
    return mergeValues('{}', sent, definitions);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const problems = error.details as Problem[];
    throw invalid(problems.map((each) => ({ ...each, field: `contact.${each.field}` })));
  }
};

const NO_VALUES = Object.fromEntries(contactVariables.map((name) => [name, null])) as Record<
  ContactVariable,
  null
>;

/** The contact that a request names in one of three ways. */
const contactOf = async (
  db: Db,
  principal: Principal,
  { contact_id, phone_number = '', contact }: RenderInput,
): Promise<RenderedContact> => {
  const { workspace } = principal;
  if (contact) return describedRow(db, principal, contact);
  const identity = contact_id === undefined ? identityOf(phone_number) : undefined;
  if (contact_id === undefined && identity === undefined)
    throw invalidField('phone_number', phoneProblem(phone_number) ?? 'must be an international number.');
  const found =
    identity === undefined
      ? await db.get(findContactValues, { workspace, id: contactId.require(contact_id ?? '') })
      : await db.get(findValuesByIdentity, { workspace, identity });
  if (!found) throw notFound('contact');
  return found;
};

export const renderVersion = read(
  'renderVersion',
  async (
    db: Db,
    principal: Principal,
    { variables, instructions, agent, version: name, ...who }: VersionKey & RenderInput,
  ) => {
    const found = contactOf(db, principal, who);
    // A request with two unknown ids is told about the version, whichever read ends first.
    found.catch(() => {});
    const version = await getVersion(db, principal, { agent, version: name });
    const contact = await found;
    const rendered = instructions === undefined ? version : { id: null, instructions };
    const render = await rendererOf(db, principal, { agent: parseAgentId(agent), version: rendered });
    return render(contact, variables);
  },
);
