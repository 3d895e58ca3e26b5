import type { OpenApiDocument } from './openapi.ts';
import { referencePage } from './reference/page.ts';
import { type Answer, route } from './route.ts';

const fixed = (answer: Answer) => route({ access: 'open', handle: () => answer });

const json = (document: OpenApiDocument) =>
  fixed({ status: 200, body: `${JSON.stringify(document, null, 2)}\n` });

/** The documents, made once when the service starts. */
export const documentRoutes = ({ api, dashboard }: { api: OpenApiDocument; dashboard: OpenApiDocument }) => ({
  api: json(api),
  dashboard: json(dashboard),
  reference: fixed({
    status: 200,
    body: referencePage(api),
    type: 'text/html; charset=utf-8',
    headers: { 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'" },
  }),
});
