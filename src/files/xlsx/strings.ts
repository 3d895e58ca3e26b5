import { limits } from '../csv/limits.ts';
import { damaged, workbookLimits } from './limits.ts';
import { plainText } from './values.ts';
import { type Elements, parseAll } from './xml.ts';
import type { Archive } from './zip.ts';

/** Joins the text runs of an element, except phonetic ones, or its value. Text is truncated one character beyond the limit of a cell, which
 *  is enough to reject it. */
export class TextRuns {
  #text = '';
  #isText = false;
  #phonetic = 0;

  open(name: string): void {
    if (name === 'rPh') this.#phonetic++;
    this.#isText = name === 'v' || (name === 't' && this.#phonetic === 0);
  }

  text(text: string): void {
    if (this.#isText && this.#text.length <= limits.cell)
      this.#text += text.slice(0, limits.cell + 1 - this.#text.length);
  }

  close(name: string): void {
    if (name === 'rPh') this.#phonetic--;
    this.#isText = false;
  }

  /** Returns the text so far and resets it. */
  take(): string {
    const text = plainText(this.#text);
    this.#text = '';
    this.#phonetic = 0;
    return text;
  }
}

/** The strings that cells refer to by index, in one buffer: a million small strings would exceed the heap of the thread. */
export class SharedStrings {
  #bytes = Buffer.alloc(65_536);
  #ends = new Uint32Array(4_096);
  #count = 0;

  add(text: string): void {
    const start = this.#end(this.#count - 1);
    const end = start + Buffer.byteLength(text);
    if (end > this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes], Math.max(end, this.#bytes.length * 2));
    if (this.#count === this.#ends.length) {
      const larger = new Uint32Array(this.#ends.length * 2);
      larger.set(this.#ends);
      this.#ends = larger;
    }
    this.#bytes.write(text, start);
    this.#ends[this.#count++] = end;
  }

  get(written: string): string {
    const index = Number(written);
    if (!(Number.isInteger(index) && index >= 0 && index < this.#count)) throw damaged();
    return this.#bytes.toString('utf8', this.#end(index - 1), this.#end(index));
  }

  #end(index: number): number {
    return this.#ends[index] ?? 0;
  }
}

export const readSharedStrings = async (archive: Archive, part: string | undefined) => {
  const strings = new SharedStrings();
  if (part === undefined || !archive.has(part)) return strings;
  const runs = new TextRuns();
  const elements: Elements = {
    open: (name) => runs.open(name),
    text: (text) => runs.text(text),
    close: (name) => {
      runs.close(name);
      if (name === 'si') strings.add(runs.take());
    },
  };
  await parseAll(archive.read(part, workbookLimits.part), elements);
  return strings;
};
