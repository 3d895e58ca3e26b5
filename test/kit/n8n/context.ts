import { STATUS_CODES } from 'node:http';
import type { Json } from '../service/test-service.ts';
import type { ReceivedWebhook } from '../webhooks/receiver.ts';

/** A text or, after `=`, a template whose expressions know the credentials. */
const resolve = (text: string, $credentials: Json): string =>
  text.startsWith('=')
    ? text
        .slice(1)
        .replace(/\{\{(.+?)\}\}/g, (_, code) => new Function('$credentials', `return ${code}`)($credentials))
    : text;

const isShown = ({ displayOptions }: Json, parameters: Json): boolean =>
  Object.entries<Json[]>(displayOptions?.show ?? {}).every(([name, values]) =>
    values.includes(parameters[name]),
  );

/** The parameters of a node with the defaults of what its form shows. */
const withDefaults = ({ properties }: Json, given: Json): Json => {
  const parameters: Json = {};
  const add = (property: Json) => {
    if (isShown(property, parameters)) parameters[property.name] = given[property.name] ?? property.default;
  };
  // A property can depend on a later one only through `resource` and `operation`, which come first.
  for (const property of properties) add(property);
  return parameters;
};

/** What n8n gives to the functions of a node; `credentials` are `{ url, api_key }`. */
const contextOf = (node: Json, credential: Json, credentials: Json, given: Json = {}) => {
  const parameters = withDefaults(node.description, given);
  const headers = Object.entries<string>(credential.authenticate.properties.headers);
  const read = (name: string) => {
    if (!(name in parameters)) throw new Error(`The form does not show the parameter ${name}.`);
    return parameters[name];
  };
  return {
    getNode: () => ({ name: node.description.displayName }),
    getCredentials: async () => credentials,
    helpers: {
      httpRequestWithAuthentication: async (_type: string, options: Json) => {
        const { method, baseURL = '', url, qs = {}, body } = options;
        const target = new URL(baseURL + url);
        for (const [name, value] of Object.entries<Json>(qs)) target.searchParams.set(name, value);
        const response = await fetch(target, {
          method,
          headers: [
            ...headers.map(([name, text]): [string, string] => [name, resolve(text, credentials)]),
            ...(body ? [['content-type', 'application/json'] as [string, string]] : []),
          ],
          ...(body && { body: JSON.stringify(body) }),
        });
        const reply: Json = await response.json();
        if (!response.ok)
          throw Object.assign(new Error(STATUS_CODES[response.status]), {
            httpCode: `${response.status}`,
            description: reply.error.message,
          });
        return { body: reply, statusCode: response.status, headers: Object.fromEntries(response.headers) };
      },
    },
    read,
  };
};

export interface N8n {
  /** Runs an operation of the node for items, each with its parameters. */
  execute(parameters: Json[], options?: { continueOnFail?: boolean }): Promise<Json[]>;
  /** The status of the request with which n8n tests the credential. */
  testCredential(): Promise<number>;
  /** A workflow with the trigger, whose webhook has this URL. */
  workflow(url: string, parameters?: Json): Workflow;
}

/** n8n leaves the body of a form to the node. */
type Received = Pick<ReceivedWebhook, 'headers'> & { readonly body: string | undefined };

export interface Workflow {
  /** What n8n stores for the node. */
  readonly stored: Json;
  exists(): Promise<boolean>;
  /** Registers the webhook, unless it exists. */
  activate(): Promise<void>;
  deactivate(): Promise<void>;
  /** The response's status, and the items with which the workflow starts. */
  receive(request: Received): Promise<{ status: number; items: Json[] }>;
}

/** Plays the part of n8n for loaded nodes. */
export const playN8n = ({ Roster, RosterTrigger, RosterApi }: Json, credentials: Json): N8n => ({
  execute: async (items, { continueOnFail = false } = {}) => {
    const contexts = items.map((item) => contextOf(Roster, RosterApi, credentials, item));
    const [results] = await Roster.execute.call({
      ...contexts[0],
      continueOnFail: () => continueOnFail,
      getInputData: () => items,
      getNodeParameter: (name: string, item: number) => contexts[item]?.read(name),
    });
    return results;
  },
  testCredential: async () => {
    const { baseURL, url, qs } = RosterApi.test.request;
    const [[name, text]] = Object.entries<string>(RosterApi.authenticate.properties.headers) as [
      [string, string],
    ];
    const target = `${resolve(baseURL, credentials)}${url}?${new URLSearchParams(qs)}`;
    return (await fetch(target, { headers: { [name]: resolve(text, credentials) } })).status;
  },
  workflow: (url, parameters) => {
    const stored: Json = {};
    const { read, ...shared } = contextOf(RosterTrigger, RosterApi, credentials, parameters);
    const context = {
      ...shared,
      getNodeParameter: read,
      getNodeWebhookUrl: () => url,
      getWorkflowStaticData: () => stored,
    };
    const { checkExists, create, delete: remove } = RosterTrigger.webhookMethods.default;
    return {
      stored,
      exists: () => checkExists.call(context),
      activate: async () => {
        if (!(await checkExists.call(context))) await create.call(context);
      },
      deactivate: () => remove.call(context),
      receive: async ({ headers, body }) => {
        let status = 200;
        const response = { status: (code: number) => ({ json: () => (status = code) }) };
        const { workflowData } = await RosterTrigger.webhook.call({
          ...context,
          getHeaderData: () => headers,
          getBodyData: () => JSON.parse(body ?? '{}'),
          getRequestObject: () => ({ rawBody: body && Buffer.from(body) }),
          getResponseObject: () => response,
        });
        return { status, items: workflowData?.[0] ?? [] };
      },
    };
  },
});
