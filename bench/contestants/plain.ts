import { createHash } from 'node:crypto';
import Fastify from 'fastify';
import type { Contact } from '../../src/features/contacts/contact.schema.ts';
import { typeId } from '../../src/lib/ids.ts';
import { openPostgres } from './plain.postgres.ts';
import { answers, body, query } from './plain.shapes.ts';
import { openSqlite } from './plain.sqlite.ts';
import type { ContactRow, ContactsQuery } from './plain.store.ts';

/** The same endpoints written in the usual way, and written well: Fastify with schemas and compiled serializers, prepared
 *  statements, an object for each row. Its responses equal Roster's byte for byte. */

const { PORT, DATABASE_URL = '' } = process.env;
const store = DATABASE_URL.startsWith('postgres') ? openPostgres(DATABASE_URL) : openSqlite(DATABASE_URL);
const contactId = typeId('contact');

const fail = (statusCode: number, code: string, message: string) =>
  Object.assign(new Error(message), { statusCode, code });

const app = Fastify({ ajv: { customOptions: { removeAdditional: false } } });
app.decorateRequest('workspace', 0);
app.setErrorHandler((error: Error & { statusCode?: number; code?: string }, _, reply) => {
  const { statusCode = 500, code = 'INTERNAL_ERROR', message } = error;
  reply.code(statusCode).send({ success: false, error: { code, message } });
});

declare module 'fastify' {
  interface FastifyRequest {
    workspace: number;
  }
}

app.addHook('onRequest', async (request) => {
  const key = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
  const workspace = key && (await store.workspaceOf(createHash('sha256').update(key).digest('hex')));
  if (!workspace) throw fail(401, 'UNAUTHORIZED', 'Send a valid API key.');
  request.workspace = workspace;
});

const contactOf = ({ tags, crm_ids, ...row }: ContactRow) => ({
  ...row,
  tags: JSON.parse(tags),
  crm_ids: JSON.parse(crm_ids),
});

app.get<{ Params: { id: string } }>(
  '/v1/contacts/:id',
  { schema: { response: { 200: answers.contact } } },
  async ({ workspace, params }) => {
    const row = await store.contact(workspace, params.id);
    if (!row) throw fail(404, 'NOT_FOUND', 'No such contact.');
    return { success: true, data: contactOf(row) };
  },
);

app.get<{ Querystring: ContactsQuery }>(
  '/v1/contacts',
  { schema: { querystring: query, response: { 200: answers.contacts } } },
  async ({ workspace, query }) => {
    const { limit, offset } = query;
    const { rows, total } = await store.contacts(workspace, query);
    const pagination = { total, limit, offset, has_more: offset + limit < total };
    return { success: true, data: rows.map(contactOf), pagination };
  },
);

app.post<{ Body: Omit<Contact, 'id'> }>(
  '/v1/contacts',
  { schema: { body, response: { 201: answers.created } } },
  async ({ workspace, body }, reply) => {
    const now = new Date().toISOString();
    const times = { first_contact_at: now, last_contact_at: now, created_at: now, updated_at: now };
    const contact: Contact = { ...body, ...times, id: contactId.create(), source: 'api' };
    if (!(await store.insert(workspace, contact))) throw fail(409, 'CONFLICT', 'The phone number is taken.');
    reply.code(201).header('location', `/v1/contacts/${contact.id}`);
    return { success: true, data: contact };
  },
);

app.get<{ Params: { id: string } }>(
  '/v1/agents/:id',
  { schema: { response: { 200: answers.agent } } },
  async ({ workspace, params }) => {
    const found = await store.agent(workspace, params.id);
    if (!found) throw fail(404, 'NOT_FOUND', 'No such agent.');
    const versions = found.versions.map(({ number, status, ...version }) => ({
      ...version,
      version_label: `v${number}`,
      deployment_status: status,
    }));
    const deployed_version = versions.find((version) => version.deployment_status === 'deployed') ?? null;
    return { success: true, data: { ...found.agent, deployed_version, versions } };
  },
);

await app.listen({ port: Number(PORT), host: '127.0.0.1' });
process.on('SIGTERM', () => process.exit(0));
