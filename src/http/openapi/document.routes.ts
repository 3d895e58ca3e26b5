import { type HttpResponse, route } from '../pipeline/route.ts';
import type { OpenApiDocument } from './openapi.ts';
import { referencePage } from './reference/page.ts';

/** Sends the same buffer to every client. A string would be copied for each connection until its client has read it. */
const fixed = (text: string, response: Omit<HttpResponse, 'body'>) => {
  const fixedResponse = { ...response, body: Buffer.from(text) };
  return route({ access: 'open', handle: () => fixedResponse });
};

const json = (document: OpenApiDocument) => fixed(`${JSON.stringify(document, null, 2)}\n`, { status: 200 });

export const documentRoutes = ({ api, dashboard }: { api: OpenApiDocument; dashboard: OpenApiDocument }) => ({
  api: json(api),
  dashboard: json(dashboard),
  reference: fixed(referencePage(api), {
    status: 200,
    type: 'text/html; charset=utf-8',
    headers: { 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'" },
  }),
});
