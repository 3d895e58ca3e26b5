import { etagOfEncoding, shortHash } from '../../lib/etag.ts';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import { compressOnce, ENCODINGS } from '../pipeline/compression.ts';
import { type Encoding, preferredEncoding } from '../pipeline/content-encoding.ts';
import { currentEtag } from '../pipeline/preconditions.ts';
import { type AnyRoute, type HttpResponse, open, route } from '../pipeline/route.ts';
import type { OpenApiDocument } from './openapi.ts';

const TYPE = 'application/json; charset=utf-8';
const HEADERS = { Vary: 'Accept-Encoding' };

/** Sends the same buffers to every client. A string would be copied for each connection until its client has read it. The
 *  document is generated, and each encoding compressed, when the first client requests it: a start does not wait, and a
 *  thread that never sends the document does not store it. */
const documentRoute = (describe: () => OpenApiDocument): AnyRoute => {
  let sent: { readonly plain: Buffer; readonly etag: string } | undefined;
  const generate = () => {
    const text = `${JSON.stringify(describe(), null, 2)}\n`;
    return { plain: Buffer.from(text), etag: `"${shortHash(text)}"` };
  };
  const compressed = new Map<Encoding, Promise<Buffer>>();
  return route({
    access: open,
    handle: (request): MaybePromise<HttpResponse> => {
      sent ??= generate();
      const { plain, etag } = sent;
      const current = currentEtag(request.headers, etag);
      if (current) return { status: 304, body: '', headers: { ...HEADERS, ETag: current } };
      const encoding = preferredEncoding(request.headers['accept-encoding'], ENCODINGS);
      if (!encoding) return { status: 200, body: plain, type: TYPE, headers: { ...HEADERS, ETag: etag } };
      const packed = compressed.get(encoding) ?? compressOnce(plain, encoding);
      compressed.set(encoding, packed);
      return packed.then((body) => ({
        status: 200,
        body,
        type: TYPE,
        headers: { ...HEADERS, ETag: etagOfEncoding(etag, encoding), 'Content-Encoding': encoding },
      }));
    },
  });
};

export const documentRoutes = ({
  api,
  dashboard,
}: {
  api: () => OpenApiDocument;
  dashboard: () => OpenApiDocument;
}) => ({
  api: documentRoute(api),
  dashboard: documentRoute(dashboard),
});
