import { apiErrorFrom, apiUrl } from './client.ts';
import { send } from './send.ts';
import { session } from './session.ts';
import type { Changes } from './types.gen.ts';

/** The service sends something every 15 seconds. After a sleep of the computer or in another network, the browser may not notice that a
 *  connection is gone. */
const SILENCE_MS = 40_000;

/** Reads the stream of changes until it ends. Each message has the changes since the one before; the first one has none. */
export const readChanges = async (
  after: string | null | undefined,
  onMessage: (message: Changes) => void,
  signal: AbortSignal,
): Promise<void> => {
  const gone = new AbortController();
  const abort = () => gone.abort();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listen = () => {
    clearTimeout(timer);
    timer = setTimeout(abort, SILENCE_MS);
  };
  addEventListener('online', abort);
  try {
    listen();
    const response = await send(apiUrl('/live'), {
      headers: {
        Accept: 'text/event-stream',
        'Roster-User': session.user() ?? '',
        ...(after && { 'Last-Event-ID': after }),
      },
      signal: AbortSignal.any([signal, gone.signal]),
    });
    if (!response.ok) throw apiErrorFrom(response, await response.json().catch(() => undefined));
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ''; ; ) {
      const part = await reader?.read();
      if (!part || part.done) return;
      listen();
      const messages = (text + part.value).split('\n\n');
      text = messages.pop() ?? '';
      for (const message of messages) {
        const data = message.split('\ndata: ')[1];
        if (data) onMessage(JSON.parse(data));
      }
    }
  } finally {
    clearTimeout(timer);
    removeEventListener('online', abort);
  }
};
