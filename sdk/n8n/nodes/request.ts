import {
  type IDataObject,
  type IExecuteFunctions,
  type IHookFunctions,
  type IHttpRequestMethods,
  type JsonObject,
  NodeApiError,
} from 'n8n-workflow';

type Context = IExecuteFunctions | IHookFunctions;

interface Reply {
  body: { data: IDataObject | IDataObject[] | null; pagination?: { has_more: boolean } };
  headers: Record<string, string | undefined>;
}

export type ApiRequest = [method: IHttpRequestMethods, path: string, body?: IDataObject, qs?: IDataObject];

const send = async (context: Context, [method, path, body, qs]: ApiRequest): Promise<Reply> => {
  const { url } = await context.getCredentials<{ url: string }>('rosterApi');
  const baseURL = url.replace(/\/*$/, '/v1');
  const options = { method, baseURL, url: path, body, qs, json: true, returnFullResponse: true };
  return context.helpers.httpRequestWithAuthentication.call(context, 'rosterApi', options);
};

export const request = async (context: Context, options: ApiRequest): Promise<IDataObject | null> =>
  (await send(context, options)).body.data as IDataObject | null;

/** What n8n shows for a failed request. */
export const failureOf = (context: Context, error: unknown): NodeApiError =>
  new NodeApiError(context.getNode(), error as JsonObject);

/** The records of a list, page after page: by cursor where pages have one, otherwise by offset. */
export const requestAll = async (context: Context, [method, path, , query]: ApiRequest, max: number) => {
  const records: IDataObject[] = [];
  let position: IDataObject = {};
  for (;;) {
    const page = { ...query, ...position, limit: Math.min(100, max - records.length) };
    const { body, headers } = await send(context, [method, path, undefined, page]);
    records.push(...(body.data as IDataObject[]));
    const [, cursor] = /[?&]cursor=([^&>]+)[^>]*>; *rel="?next"?/.exec(headers.link ?? '') ?? [];
    if (records.length >= max || !body.pagination?.has_more) return records;
    position = cursor ? { cursor: decodeURIComponent(cursor) } : { offset: records.length };
  }
};
