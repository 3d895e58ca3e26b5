import { ConnectionError } from './errors.ts';

/** A file that is read while it arrives. Read it once, in one of these ways. Timeouts do not apply to it; a signal does. */
export class Download implements AsyncIterable<Uint8Array> {
  readonly response: Response;

  constructor(response: Response) {
    this.response = response;
  }

  /** The bytes, to pipe them elsewhere. */
  get stream(): ReadableStream<Uint8Array> {
    if (!this.response.body) throw new TypeError('The response has no body.');
    return this.response.body;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    const reader = this.stream.getReader();
    let isComplete = false;
    try {
      while (true) {
        const { done, value } = await reader.read();
        if (done) break;
        yield value;
      }
      isComplete = true;
    } catch (cause) {
      // A signal was aborted.
      if (!(cause instanceof TypeError)) throw cause;
      throw new ConnectionError('The download was interrupted.', { code: 'CONNECTION_ERROR', cause });
    } finally {
      if (!isComplete) reader.cancel().catch(() => {});
    }
  }

  /** The lines without their ends. A quoted field of a CSV file may contain several. */
  async *lines(): AsyncGenerator<string, void, undefined> {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of this) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
    }
    rest += decoder.decode();
    if (rest) yield rest;
  }

  async text(): Promise<string> {
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of this) text += decoder.decode(chunk, { stream: true });
    return text + decoder.decode();
  }
}
