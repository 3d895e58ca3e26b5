import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  type IHookFunctions,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  NodeConnectionTypes,
} from 'n8n-workflow';
import { choice, collection, text } from '../properties';
import { failureOf, request } from '../request';

const eventTypes = [
  ...['agent.created', 'agent.deleted', 'agent.deployed', 'agent.updated', 'call.recorded', 'call.updated'],
  ...['campaign.created', 'campaign.deleted', 'campaign.updated', 'channel.created', 'channel.deleted'],
  ...['channel.updated', 'contact.created', 'contact.deleted', 'contact.merged', 'contact.unmerged'],
  ...['contact.updated', 'enrollment.created'],
  ...['enrollment.deleted', 'enrollment.updated', 'import.created', 'import.deleted', 'import.updated'],
  ...['version.created', 'webhook.disabled'],
];

/** Whether a delivery is signed as Standard Webhooks specifies, within five minutes of now. */
const isSigned = (headers: object, body: Buffer, secret: string): boolean => {
  const [id, time, given] = ['id', 'timestamp', 'signature'].map(
    (name) => `${Reflect.get(headers, `webhook-${name}`)}`,
  );
  if (!(Math.abs(Date.now() / 1000 - Number(time)) <= 300)) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest('base64');
  const expected = Buffer.from(`v1,${signature}`);
  const isExpected = (each: Buffer) => each.length === expected.length && timingSafeEqual(each, expected);
  return given.split(' ').some((each) => isExpected(Buffer.from(each)));
};

/** Reads or deletes the webhook that was created. Null if there is none. */
const ofWebhook = async (context: IHookFunctions, method: 'GET' | 'DELETE') => {
  const { id } = context.getWorkflowStaticData('node');
  try {
    return id ? await request(context, [method, `/webhooks/${id}`]) : null;
  } catch (error) {
    const failure = failureOf(context, error);
    if (failure.httpCode === '404') return null;
    throw failure;
  }
};

export class RosterTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Roster Trigger',
    name: 'rosterTrigger',
    icon: { light: 'file:../../icons/roster.svg', dark: 'file:../../icons/roster.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ") || "all events"}}',
    description: 'Starts the workflow when a record of Roster changes',
    defaults: { name: 'Roster Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'rosterApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      choice('events', 'Which events start the workflow. Empty: all.', eventTypes, {
        ...{ type: 'multiOptions', default: [] },
      }),
      collection('filters', {}, [
        text('agent_id', 'Only events about this agent'),
        text('campaign_id', 'Only events about this campaign'),
        text('tag', 'Only events of contacts with this tag'),
      ]),
    ],
  };

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const webhook = await ofWebhook(this, 'GET');
        return webhook?.url === this.getNodeWebhookUrl('default') && webhook?.status === 'active';
      },
      async create(this: IHookFunctions): Promise<boolean> {
        const events = this.getNodeParameter('events') as string[];
        const filters = this.getNodeParameter('filters') as object;
        const url = this.getNodeWebhookUrl('default');
        const body = { ...filters, url, description: 'n8n', types: events.length > 0 ? events : null };
        const { id, secret } = (await request(this, ['POST', '/webhooks', body])) ?? {};
        Object.assign(this.getWorkflowStaticData('node'), { id, secret });
        return true;
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        await ofWebhook(this, 'DELETE');
        Object.assign(this.getWorkflowStaticData('node'), { id: undefined, secret: undefined });
        return true;
      },
    },
  };

  async webhook(this: IWebhookFunctions) {
    const { secret } = this.getWorkflowStaticData('node');
    const { rawBody } = this.getRequestObject();
    if (secret && rawBody && isSigned(this.getHeaderData(), rawBody, `${secret}`))
      return { workflowData: [[{ json: this.getBodyData() }]] };
    this.getResponseObject().status(401).json({ message: 'The signature does not match.' });
    return { noWebhookResponse: true };
  }
}
