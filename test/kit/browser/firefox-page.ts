import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../service/test-service.ts';
import type { Bidi } from './bidi.ts';

/** Generous, because tests may share two cores with others. */
const TIMEOUT_MS = 20_000;
const POLL_MS = 25;

/** The key values of WebDriver. */
const KEYS: Readonly<Record<string, string>> = {
  Tab: '\uE004',
  Enter: '\uE007',
  Control: '\uE009',
  Escape: '\uE00C',
};

/** The visible elements with a selector and a name: a label, or else all of the text. Runs in the page. Firefox can find elements in
 *  its accessibility tree, but needs a second for that on a page with a long table. */
const findNamed = (selector: string, name: string): HTMLElement[] => {
  const nameOf = (element: HTMLElement) => {
    const id = element.getAttribute('aria-labelledby');
    const [label] = (element as HTMLInputElement).labels ?? [];
    const labelled = (id && document.getElementById(id)) || label || element;
    return element.ariaLabel ?? labelled.innerText.replace(/\s+/g, ' ').trim();
  };
  return [...document.querySelectorAll<HTMLElement>(selector)].filter(
    (each) => each.checkVisibility() && nameOf(each) === name,
  );
};

/** Where a pointer hits an element that has come to rest; runs in the page. */
const pointOn = async (element: HTMLElement | undefined): Promise<{ x: number; y: number } | undefined> => {
  if (!element || element.matches(':disabled')) return;
  element.scrollIntoView({ block: 'center', inline: 'nearest' });
  const place = () => JSON.stringify(element.getBoundingClientRect());
  const before = place();
  for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
  const { left, top, width, height } = element.getBoundingClientRect();
  const point = { x: Math.round(left + width / 2), y: Math.round(top + height / 2) };
  const isHit = element.contains(document.elementFromPoint(point.x, point.y));
  return isHit && place() === before ? point : undefined;
};

/** A tab of Firefox. Each action waits until it is possible, as Playwright's do. */
export class FirefoxPage {
  readonly #bidi: Bidi;
  readonly #context: string;
  /** What the browser reports: errors of scripts, violated policies, failed requests and requests to other hosts. */
  readonly faults: string[] = [];

  private constructor(bidi: Bidi, context: string, home: string) {
    this.#bidi = bidi;
    this.#context = context;
    bidi.onEvent = (method, { level, text, request, response, errorText }) => {
      if (method === 'log.entryAdded' && level === 'error') this.faults.push(`console: ${text}`);
      if (!request) return;
      const { protocol, origin } = new URL(request.url);
      const label = `${request.method} ${request.url}`;
      if (protocol.startsWith('http') && origin !== home) this.faults.push(`another host: ${label}`);
      if (response?.status >= 400) this.faults.push(`${response.status}: ${label}`);
      // A page that is left aborts what it still loads.
      if (errorText && errorText !== 'NS_BINDING_ABORTED') this.faults.push(`${errorText}: ${label}`);
    };
  }

  static async open(bidi: Bidi, home: string): Promise<FirefoxPage> {
    const { context } = await bidi.send('browsingContext.create', { type: 'tab' });
    await bidi.send('session.subscribe', {
      events: ['log.entryAdded', 'network.responseCompleted', 'network.fetchError'],
      contexts: [context],
    });
    return new FirefoxPage(bidi, context, home);
  }

  #send(method: string, params: object): Promise<Json> {
    return this.#bidi.send(method, { context: this.#context, ...params });
  }

  /** Calls a function, which is sent as text, in the page. */
  async #call(work: string, values: readonly (string | number)[]): Promise<Json> {
    const { exceptionDetails, result } = await this.#bidi.send('script.callFunction', {
      functionDeclaration: `async (...args) => JSON.stringify(await (${work})(...args))`,
      awaitPromise: true,
      target: { context: this.#context },
      arguments: values.map((value) => ({ type: typeof value, value })),
    });
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    return result.type === 'undefined' ? undefined : JSON.parse(result.value);
  }

  /** Repeats the work until its result is true. An error, such as that of a page that is just left, is no result. */
  async waitFor(about: string, work: () => Promise<unknown>): Promise<void> {
    const end = Date.now() + TIMEOUT_MS;
    let last: unknown;
    while (Date.now() < end) {
      last = await work().catch((error: Error) => error);
      if (last === true) return;
      await sleep(POLL_MS);
    }
    const text = await this.evaluate(() => `${location.href}: ${document.body.innerText}`);
    throw new Error(`Timed out waiting for ${about} (${last}) on ${text}`);
  }

  evaluate<Args extends (string | number)[], Result>(
    work: (...args: Args) => Result,
    ...args: Args
  ): Promise<Awaited<Result>> {
    return this.#call(String(work), args);
  }

  /** Waits until a function is true in the page. */
  until<Args extends (string | number)[]>(work: (...args: Args) => boolean, ...args: Args): Promise<void> {
    return this.waitFor(`${args.join()} in ${work}`, () => this.evaluate(work, ...args));
  }

  /** Waits until an element with this selector has the focus, or contains what has it. */
  hasFocus(selector: string): Promise<void> {
    return this.until((each) => Boolean(document.activeElement?.closest(each)), selector);
  }

  /** Waits until the page shows a text. */
  shows(text: string): Promise<void> {
    return this.until((each) => document.body.innerText.includes(each), text);
  }

  async goto(url: string): Promise<void> {
    await this.#send('browsingContext.navigate', { url, wait: 'complete' });
  }

  async setWidth(width: number, height = 800): Promise<void> {
    await this.#send('browsingContext.setViewport', { viewport: { width, height } });
  }

  async screenshot(path: string): Promise<void> {
    const { data } = await this.#send('browsingContext.captureScreenshot', {});
    writeFileSync(path, Buffer.from(data, 'base64'));
  }

  /** Waits until there is an element with this selector and name, or until there is none. */
  async has(selector: string, name: string, isThere = true): Promise<void> {
    const work = `(...args) => (${findNamed})(...args).length > 0`;
    const about = `${isThere ? '' : 'the end of '}${selector} “${name}”`;
    await this.waitFor(about, async () => (await this.#call(work, [selector, name])) === isThere);
  }

  /** Clicks the first element with this selector and name. */
  async click(selector: string, name: string): Promise<void> {
    const work = `(...args) => (${pointOn})((${findNamed})(...args)[0])`;
    await this.waitFor(`a click on ${selector} “${name}”`, async () => {
      const point = await this.#call(work, [selector, name]);
      if (!point) return false;
      const actions = [
        { type: 'pointerMove', ...point },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ];
      await this.#send('input.performActions', { actions: [{ type: 'pointer', id: 'mouse', actions }] });
      return true;
    });
  }

  /** Presses keys that are joined by `+`, such as `Control+k`. */
  async press(keys: string): Promise<void> {
    const values = keys.split('+').map((key) => KEYS[key] ?? key);
    await this.#keys([
      ...values.map((value) => ({ type: 'keyDown', value })),
      ...values.toReversed().map((value) => ({ type: 'keyUp', value })),
    ]);
  }

  async type(text: string): Promise<void> {
    await this.#keys([...text].flatMap((value) => ['keyDown', 'keyUp'].map((type) => ({ type, value }))));
  }

  #keys(actions: readonly object[]): Promise<void> {
    return this.#send('input.performActions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
  }

  /** Chooses a file in the first file input. */
  async setFile(path: string): Promise<void> {
    await this.waitFor('a file input', async () => {
      const locator = { type: 'css', value: 'input[type=file]' };
      const [element] = (await this.#send('browsingContext.locateNodes', { locator })).nodes;
      if (!element) return false;
      await this.#send('input.setFiles', { element: { sharedId: element.sharedId }, files: [path] });
      return true;
    });
  }
}
