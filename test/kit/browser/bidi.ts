import type { Json } from '../service/test-service.ts';

/** A connection to a browser's WebDriver BiDi (https://w3c.github.io/webdriver-bidi). */
export class Bidi {
  readonly #socket: WebSocket;
  readonly #pending = new Map<number, PromiseWithResolvers<Json>>();
  #lastId = 0;
  onEvent: (method: string, params: Json) => void = () => {};

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.onmessage = ({ data }) => {
      const { id, method, params, result, error, message } = JSON.parse(String(data));
      if (id === undefined || id === null) return this.onEvent(method, params);
      if (error) this.#pending.get(id)?.reject(new Error(`${error}: ${message}`));
      else this.#pending.get(id)?.resolve(result);
      this.#pending.delete(id);
    };
    socket.onclose = () => {
      for (const { reject } of this.#pending.values()) reject(new Error('The browser has ended.'));
    };
  }

  static async open(url: string): Promise<Bidi> {
    const socket = new WebSocket(url);
    await new Promise<unknown>((resolve, reject) => {
      socket.onopen = resolve;
      socket.onerror = () => reject(new Error(`No connection to ${url}`));
    });
    return new Bidi(socket);
  }

  send(method: string, params: object = {}): Promise<Json> {
    const reply = Promise.withResolvers<Json>();
    this.#pending.set(++this.#lastId, reply);
    this.#socket.send(JSON.stringify({ id: this.#lastId, method, params }));
    return reply.promise;
  }
}
