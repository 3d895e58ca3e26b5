import type { Storage } from '../../db/storage.ts';
import { created, ok, routesOf } from '../../http/pipeline/route.ts';
import * as s from '../../lib/schemas.ts';
import { needs } from '../workspaces/access.ts';
import { contactId } from './contact.service.ts';
import {
  heldIdentitySchema,
  identityCreate,
  identityKinds,
  identityQuery,
  identitySchema,
  identityUpdate,
} from './identity.schema.ts';
import * as service from './identity.service.ts';
import { identityId } from './identity.store.ts';

const read = routesOf(needs('contacts:read'));
const write = routesOf(needs('contacts:write'));

const both = { id: contactId.schema, identity_id: identityId.schema };

export const identityRoutes = (storage: Storage) => ({
  'GET /v1/contacts/:id/identities': read({
    run: service.listContactIdentities,
    summary: "List a contact's identities",
    description: 'The primary number, then other current identities, then former ones.',
    data: s.list(identitySchema),
  }),

  'POST /v1/contacts/:id/identities': write({
    operationId: 'addIdentity',
    summary: 'Add an identity to a contact',
    description:
      'A contact is found by each of its numbers. One value of a kind belongs to at most one contact at a time; a 409 response names the contact that has it. Calls and messages of a person without a contact who has this identity are linked to the contact.',
    body: identityCreate,
    data: identitySchema,
    errors: ['CONFLICT'],
    handle: (request) => {
      const { principal, params, body } = request;
      const added = storage.run(service.addIdentity, principal, { ...body, id: params.id });
      return created(
        request,
        added.then(({ identity }) => identity),
      );
    },
  }),

  'PATCH /v1/contacts/:id/identities/:identity_id': write({
    operationId: 'makePrimary',
    summary: "Make a number the contact's primary number",
    description:
      'The `phone_number` of the contact changes. The former primary number stays as a secondary one.',
    params: both,
    body: identityUpdate,
    data: identitySchema,
    errors: ['CONFLICT'],
    handle: ({ principal, params }) => {
      const changed = storage.run(service.makePrimary, principal, params);
      return ok(changed.then(({ identity }) => identity));
    },
  }),

  'DELETE /v1/contacts/:id/identities/:identity_id': write({
    run: service.removeIdentity,
    summary: 'Remove an identity from a contact',
    description:
      'A current identity becomes a former one, and a former one is removed. The primary number cannot be removed.',
    params: both,
    errors: ['CONFLICT'],
  }),

  'GET /v1/identities': read({
    run: service.listIdentities,
    summary: 'List people without a contact',
    description: 'The identities of people whose calls and messages had no number, newest first.',
    query: identityQuery,
    data: heldIdentitySchema,
    list: true,
  }),

  'GET /v1/identities/:kind/:value': read({
    run: service.getIdentity,
    summary: 'Find who has an identity',
    description: 'The identity, with the contact that has it now.',
    params: {
      kind: { pattern: `^(${identityKinds.join('|')})$`, description: 'The kind of the identity.' },
      value: { pattern: '^.{1,255}$', description: 'Its value, such as `+14155550100`.' },
    },
    data: heldIdentitySchema,
    errors: ['VALIDATION_ERROR'],
  }),
});
