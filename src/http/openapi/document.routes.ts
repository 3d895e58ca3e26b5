import { etagOfEncoding, shortHash } from '../../lib/etag.ts';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import { compressOnce, ENCODINGS } from '../pipeline/compression.ts';
import { type Encoding, preferredEncoding } from '../pipeline/content-encoding.ts';
import { currentEtag } from '../pipeline/preconditions.ts';
import { type AnyRoute, type HttpResponse, route } from '../pipeline/route.ts';
import type { OpenApiDocument } from './openapi.ts';

/** Sends the same buffers to every client. A string would be copied for each connection until its client has read it. Each
 *  encoding is compressed when the first client asks for it: the build does not know the document, and a start need not
 *  wait. */
const fixed = (text: string, type: string, extra?: Readonly<Record<string, string>>): AnyRoute => {
  const plain = Buffer.from(text);
  const etag = `"${shortHash(text)}"`;
  const headers = { ...extra, Vary: 'Accept-Encoding' };
  const compressed = new Map<Encoding, Promise<Buffer>>();
  return route({
    access: 'open',
    handle: (request): MaybePromise<HttpResponse> => {
      const current = currentEtag(request.headers, etag);
      if (current) return { status: 304, body: '', headers: { ...headers, ETag: current } };
      const encoding = preferredEncoding(request.headers['accept-encoding'], ENCODINGS);
      if (!encoding) return { status: 200, body: plain, type, headers: { ...headers, ETag: etag } };
      const packed = compressed.get(encoding) ?? compressOnce(plain, encoding);
      compressed.set(encoding, packed);
      return packed.then((body) => ({
        status: 200,
        body,
        type,
        headers: { ...headers, ETag: etagOfEncoding(etag, encoding), 'Content-Encoding': encoding },
      }));
    },
  });
};

const json = (document: OpenApiDocument) =>
  fixed(`${JSON.stringify(document, null, 2)}\n`, 'application/json; charset=utf-8');

export const documentRoutes = ({ api, dashboard }: { api: OpenApiDocument; dashboard: OpenApiDocument }) => ({
  api: json(api),
  dashboard: json(dashboard),
});
