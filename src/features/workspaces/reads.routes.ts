import { type HttpResponse, routesOf } from '../../http/pipeline/route.ts';
import * as v from '../../lib/validation.ts';
import { member } from './access.ts';

const MAX_READS = 20;
const MAX_BODY = 65_536;
const OF_API = /^\/(?:v1|dashboard\/api)\/[!-~]*$/;
const path = v.text({
  min: 1,
  max: 4_000,
  schema: { pattern: OF_API.source },
  check: (text) =>
    OF_API.test(text) ? undefined : 'must begin with /v1/ or /dashboard/api/, and be encoded as in a URL.',
});
const LINES = 'application/x-ndjson';

const body = v.object(
  {
    paths: v.listOf(path, {
      max: MAX_READS,
      description: 'Paths of the API below `/v1` or `/dashboard/api`, with their queries.',
    }),
  },
  { title: 'Reads', required: ['paths'] },
);

/** One line for each response, in the order in which they are complete. */
async function* linesOf(reads: readonly Promise<HttpResponse>[]): AsyncGenerator<string> {
  const open = new Map(reads.map((read, at) => [at, read.then((response) => ({ at, ...response }))]));
  while (open.size > 0) {
    const { at, status, headers, body } = await Promise.race(open.values());
    open.delete(at);
    yield `${JSON.stringify({ at, status, etag: headers?.ETag ?? null, body: String(body) })}\n`;
  }
}

export const readsRoutes = {
  'POST /dashboard/api/reads': routesOf(member)({
    operationId: 'readTogether',
    summary: 'Send several reads in one request',
    description:
      'What a page reads when it opens. Each path is read as by a GET of its own, with the same session and its own access check. Each line is a JSON object and is sent when its response is complete: `at`, the index of the path, `status`, `etag`, and `body`, the text of the response.',
    body,
    maxBody: MAX_BODY,
    status: 200,
    file: [LINES],
    handle: ({ body: { paths }, read }) => ({
      status: 200,
      type: LINES,
      body: linesOf(paths.map(read)),
    }),
  }),
};
