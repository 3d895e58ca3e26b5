import { type IDataObject, type IExecuteFunctions, type INodeExecutionData, jsonParse } from 'n8n-workflow';
import { type ApiRequest, failureOf, request, requestAll } from '../request';

/** The value of a parameter. */
type Read = <T = string>(name: string) => T;

/** A member in the form that the API takes. n8n gives JSON as a text or parsed. An empty text clears. */
const memberOf = (name: string, value: unknown): unknown => {
  if (name === 'tags' || name === 'contact_ids')
    return [value].flat().flatMap((each) => `${each}`.split(',').flatMap((part) => part.trim() || []));
  const errorMessage = `${name} must be a JSON object, such as {"plan": "gold"}.`;
  if (typeof value === 'string' && ['fields', 'filter', 'variables'].includes(name))
    return jsonParse(value || '{}', { errorMessage });
  return value === '' ? null : value;
};
const bodyOf = (members: IDataObject): IDataObject =>
  Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, memberOf(name, value)]),
  ) as IDataObject;

const part = (read: Read, name: string) => `/${encodeURIComponent(read(name))}`;
const contact = (read: Read) => `/contacts${part(read, 'contact_id')}`;
const byPhone = (read: Read) => `/contacts/by-phone${part(read, 'phone_number')}`;
const enrollments = (read: Read) => `/campaigns${part(read, 'campaign_id')}/enrollments`;
const enrollment = (read: Read) => enrollments(read) + part(read, 'contact_id');
const agent = (read: Read) => `/agents${part(read, 'agent_id')}`;
const rendering = (read: Read) => `${agent(read)}/versions${part(read, 'version')}/render`;

const fields = (read: Read) => bodyOf(read('contact_fields'));
const selection = (read: Read, by: string, value: string) =>
  bodyOf({ [read(by)]: read(value), variables: read('variables') });
const filters = (read: Read) => read<IDataObject>('filters');
const include = { include: 'fields' };

/** The request of every operation. With a cursor, a list of contacts has each of them once. */
const operations: Record<string, (read: Read) => ApiRequest> = {
  'contact:create': (p) => ['POST', '/contacts', { phone_number: p('phone_number'), ...fields(p) }, include],
  'contact:delete': (p) => ['DELETE', contact(p)],
  'contact:get': (p) => ['GET', contact(p), undefined, include],
  'contact:getAll': (p) => ['GET', '/contacts', undefined, { cursor: '', ...include, ...filters(p) }],
  'contact:getByPhone': (p) => ['GET', byPhone(p), undefined, include],
  'contact:update': (p) => ['PATCH', contact(p), fields(p), include],
  'contact:upsert': (p) => ['PUT', byPhone(p), fields(p), include],
  'enrollment:enroll': (p) => ['POST', enrollments(p), selection(p, 'enroll_by', 'contacts')],
  'enrollment:getAll': (p) => ['GET', enrollments(p), undefined, filters(p)],
  'enrollment:update': (p) => ['PATCH', enrollment(p), bodyOf(p('enrollment_fields'))],
  'agent:render': (p) => ['POST', rendering(p), selection(p, 'contact_by', 'contact')],
};

const runOperation = async (context: IExecuteFunctions, item: number): Promise<IDataObject[]> => {
  const given: Read = (name) => context.getNodeParameter(name, item) as never;
  let read = given;
  if (given('operation') === 'render' && !given('version')) {
    const active = await request(context, ['GET', `${agent(given)}/active`]);
    if (!active) throw new Error('The agent has no deployed version. Deploy one, or enter a version.');
    read = (name) => (name === 'version' ? active.id : given(name)) as never;
  }
  const options = operations[`${given('resource')}:${given('operation')}`](read);
  if (given('operation') !== 'getAll') return [(await request(context, options)) ?? {}];
  return requestAll(
    context,
    options,
    given<boolean>('returnAll') ? Number.POSITIVE_INFINITY : given('limit'),
  );
};

/** What the chosen operation returns for an item. */
export const runItem = async (context: IExecuteFunctions, item: number): Promise<INodeExecutionData[]> => {
  const pairedItem = { item };
  try {
    return (await runOperation(context, item)).map((json) => ({ json, pairedItem }));
  } catch (error) {
    const failure = failureOf(context, error);
    failure.context.itemIndex = item;
    if (!context.continueOnFail()) throw failure;
    return [{ json: { error: failure.description ?? failure.message }, pairedItem }];
  }
};
