import { connection } from './connection.ts';
import { connectionLost, send } from './send.ts';
import { session } from './session.ts';

/** The service accepts so many. */
const MAX_READS = 20;

interface Read {
  readonly url: string;
  readonly init: RequestInit;
  readonly resolve: (response: Response | Promise<Response>) => void;
  readonly reject: (error: unknown) => void;
}

let waiting: Read[] = [];

/** Sends a read. Those of one moment, such as all of a page that opens, share a request; each is answered when it is complete. */
export const sendRead = (url: string, init: RequestInit): Promise<Response> =>
  new Promise((resolve, reject) => {
    const { signal } = init;
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    if (waiting.push({ url, init, resolve, reject }) === 1) setTimeout(sendWaiting);
  });

const sendAlone = ({ url, init, resolve }: Read): void => resolve(send(url, init));

const sendWaiting = (): void => {
  const reads = waiting.filter(({ init }) => !init.signal?.aborted);
  waiting = [];
  for (let at = 0; at < reads.length; at += MAX_READS) {
    const some = reads.slice(at, at + MAX_READS);
    if (some.length === 1) some.forEach(sendAlone);
    else
      void sendTogether(some).catch((error) => {
        for (const { reject } of some) reject(error);
      });
  }
};

/** Is aborted when all its reads are. */
const signalOf = (reads: readonly Read[]): AbortSignal => {
  const controller = new AbortController();
  let open = reads.length;
  const onAbort = () => --open === 0 && controller.abort();
  for (const { init } of reads) init.signal?.addEventListener('abort', onAbort, { once: true });
  return controller.signal;
};

const sendTogether = async (reads: readonly Read[]): Promise<void> => {
  const response = await send('/dashboard/api/reads', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Roster-User': session.user() ?? '' },
    body: JSON.stringify({ paths: reads.map(({ url }) => url) }),
    signal: signalOf(reads),
  });
  // An instance of the previous version, during an upgrade.
  if (response.status === 404) for (const read of reads) sendAlone(read);
  else if (!response.ok) for (const { resolve } of reads) resolve(response.clone());
  else await answer(reads, response);
};

const answer = async (reads: readonly Read[], response: Response): Promise<void> => {
  const requestId = response.headers.get('X-Request-Id') ?? '';
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ''; ; ) {
    const part = await reader?.read().catch(() => undefined);
    if (!part || part.done) break;
    const lines = (text + part.value).split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) {
      const { at, status, etag, body } = JSON.parse(line);
      const read = reads[at];
      if (!read) continue;
      // The responses are too large together.
      if (status === 413) {
        sendAlone(read);
        continue;
      }
      const headers = new Headers({ 'X-Request-Id': requestId, ...(etag && { ETag: etag }) });
      read.resolve(new Response(body, { status, headers }));
    }
  }
  await connection.whenNotLeaving();
  // Has no effect on those that were answered.
  for (const { reject } of reads) reject(connectionLost());
};
