import { pointerTo, type Range, type Step, type Token, tokensOf } from '../../../lib/json-text.ts';

/* Reads JSON while it is typed: where the caret is, where a value is, and the first mistake. */

interface Frame {
  readonly isObject: boolean;
  readonly names: Set<string>;
  /** The name of the current member. */
  name: string;
  index: number;
  expects: 'name' | 'colon' | 'value' | 'comma';
}

const isString = ({ text }: Token) => text.startsWith('"');
const isClosed = ({ text }: Token) => /^"(?:[^"\\]|\\.)*"$/s.test(text);

/** The value of a string token, also of one that is not closed. */
const textIn = (token: Token): string => {
  try {
    return JSON.parse(isClosed(token) ? token.text : `${token.text}"`);
  } catch {
    return token.text.slice(1);
  }
};

const stepOf = ({ isObject, name, index }: Frame): Step => (isObject ? name : index);
const pathOf = (frames: readonly Frame[]): Step[] => frames.map(stepOf);

export type MistakeKind =
  | 'comma'
  | 'colon'
  | 'name'
  | 'value'
  | 'close'
  | 'quote'
  | 'literal'
  | 'end'
  | 'object'
  | 'repeated';

export interface Mistake extends Range {
  readonly kind: MistakeKind;
}

/** Where the caret is. */
export interface Caret {
  readonly kind: 'name' | 'value';
  /** To the object that gets the name, or to the value. */
  readonly path: readonly Step[];
  /** What is typed already, which a completion replaces. */
  readonly from: number;
  readonly to: number;
  /** What follows: a name needs no colon, and what precedes another member needs a comma. */
  readonly next: string | undefined;
}

const isValid = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** Reads a text from its beginning. It goes on after a mistake, as if the text were right. */
class Reader {
  readonly frames: Frame[] = [];
  readonly ranges = new Map<string, Range>();
  readonly mistakes: Mistake[] = [];
  /** The value was read completely. */
  isDone = false;
  #last = 0;
  readonly #starts: number[] = [];

  get top(): Frame | undefined {
    return this.frames.at(-1);
  }

  #report(kind: MistakeKind, { from, to }: Range): void {
    this.mistakes.push({ kind, from, to });
  }

  #pointer(): string {
    return pathOf(this.frames).reduce<string>(pointerTo, '');
  }

  #valueEnded(): void {
    const { top } = this;
    if (top) top.expects = 'comma';
    else this.isDone = true;
  }

  #open(token: Token): void {
    const isObject = token.text === '{';
    this.#starts.push(token.from);
    const expects = isObject ? 'name' : 'value';
    this.frames.push({ isObject, names: new Set(), name: '', index: 0, expects });
  }

  read(token: Token): void {
    const { text } = token;
    const before = this.#last;
    this.#last = token.to;
    if (this.isDone) this.#report('end', token);
    else if (text === '}' || text === ']') this.#end(token);
    else if (text === ',' || text === ':') this.#separator(token);
    else {
      if (this.top?.expects === 'comma') {
        this.#report('comma', { from: Math.max(before - 1, 0), to: before });
        this.#next(this.top);
      }
      if (this.top?.expects === 'name') this.#name(this.top, token);
      else this.#value(token);
    }
  }

  #next(top: Frame): void {
    top.index++;
    top.expects = top.isObject ? 'name' : 'value';
  }

  #separator(token: Token): void {
    const { top } = this;
    const isComma = token.text === ',';
    if (top?.expects !== (isComma ? 'comma' : 'colon')) this.#report(top?.expects ?? 'value', token);
    if (isComma && top) this.#next(top);
    else if (top?.expects === 'colon') top.expects = 'value';
  }

  #end(token: Token): void {
    const { top } = this;
    if (!top || (token.text === '}') !== top.isObject) {
      this.#report('value', token);
      return;
    }
    // Nothing may be missing, unless it is empty.
    const isEmpty = top.index === 0 && top.expects === (top.isObject ? 'name' : 'value');
    if (top.expects !== 'comma' && !isEmpty) this.#report(top.expects, token);
    const start = this.#starts.pop() ?? token.from;
    this.frames.pop();
    this.ranges.set(this.#pointer(), { from: start, to: token.to });
    this.#valueEnded();
  }

  #value(token: Token): void {
    const { top } = this;
    const { text } = token;
    if (top?.expects === 'colon') this.#report('colon', token);
    if (text === '{' || text === '[') {
      this.#open(token);
      return;
    }
    if (isString(token) && !isClosed(token)) this.#report('quote', token);
    else if (!isValid(text)) this.#report('literal', token);
    this.ranges.set(this.#pointer(), token);
    this.#valueEnded();
  }

  #name(top: Frame, token: Token): void {
    top.expects = 'colon';
    top.name = isString(token) ? textIn(token) : token.text;
    if (!isString(token)) this.#report('name', token);
    else if (!isClosed(token)) this.#report('quote', token);
    else if (!isValid(token.text)) this.#report('literal', token);
    else if (top.names.has(top.name)) this.#report('repeated', token);
    top.names.add(top.name);
  }
}

/** The first mistake that makes a text no JSON object, or a name that an object has twice. */
export const mistakeIn = (text: string): Mistake | undefined => {
  const reader = new Reader();
  const tokens = tokensOf(text);
  for (const token of tokens) {
    reader.read(token);
    if (reader.mistakes[0]) return reader.mistakes[0];
  }
  const [first] = tokens;
  if (first && first.text !== '{') return { kind: 'object', from: first.from, to: first.to };
  const end = text.trimEnd().length;
  return reader.isDone
    ? undefined
    : { kind: first ? 'close' : 'object', from: Math.max(end - 1, 0), to: end };
};

/** Where the value at a JSON Pointer is. If it is missing, where the object or array is that should have it. */
export const rangeOf = (text: string, pointer: string): Range => {
  const reader = new Reader();
  for (const token of tokensOf(text)) reader.read(token);
  for (let path = pointer; ; path = path.slice(0, path.lastIndexOf('/'))) {
    const found = reader.ranges.get(path);
    // A whole object would be underlined over many lines.
    if (found) return path === pointer && path !== '' ? found : { from: found.from, to: found.from + 1 };
    if (path === '') return { from: 0, to: 0 };
  }
};

/** What can be completed at a position; undefined within punctuation. */
export const caretAt = (text: string, position: number): Caret | undefined => {
  const tokens = tokensOf(text);
  const reader = new Reader();
  let typed: Token | undefined;
  for (const token of tokens) {
    if (token.from >= position) break;
    const isTyped = token.to >= position && !/^[{}[\]:,]$/.test(token.text);
    if (isTyped) {
      typed = token;
      break;
    }
    reader.read(token);
  }
  const { top } = reader;
  // Behind the closing quote of a string, and within nothing.
  if (!top || (typed && isString(typed) && isClosed(typed) && typed.to === position)) return undefined;
  const expects = top.expects === 'comma' && typed ? (top.isObject ? 'name' : 'value') : top.expects;
  if (expects !== 'name' && expects !== 'value') return undefined;
  const from = typed?.from ?? position;
  // An open string swallows the rest of its line.
  const to = typed && (!isString(typed) || isClosed(typed)) ? typed.to : position;
  const path = expects === 'name' ? pathOf(reader.frames.slice(0, -1)) : pathOf(reader.frames);
  return { kind: expects, path, from, to, next: tokens.find((each) => each.from >= to)?.text };
};

/** The names of the object in which the caret is. */
export const namesAround = (text: string, { path, from }: Caret): ReadonlySet<string> => {
  const reader = new Reader();
  const names = new Set<string>();
  const wanted = JSON.stringify(path);
  for (const token of tokensOf(text)) {
    const { top } = reader;
    const isName = top?.isObject && (top.expects === 'name' || top.expects === 'comma') && isString(token);
    if (isName && token.from !== from && JSON.stringify(pathOf(reader.frames.slice(0, -1))) === wanted)
      names.add(textIn(token));
    reader.read(token);
  }
  return names;
};
