import sax from 'sax';
import { damaged, workbookLimits } from './limits.ts';

export type Attributes = Readonly<Record<string, string>>;

/** What is done with the elements of a part. Names have no prefix. */
export interface Elements {
  open?: (name: string, attributes: Attributes) => void;
  /** Text in pieces. */
  text?: (text: string) => void;
  close?: (name: string) => void;
}

const local = (name: string): string => name.slice(name.indexOf(':') + 1);

/** So many bytes are parsed before the rows in them are taken: each cell can refer to a long shared string. */
const PIECE = 4_096;

/** Parses a part as its bytes come, and yields after each piece. A document type is refused, and with it all entities but
 *  the five of XML. */
export async function* parseXml(bytes: AsyncIterable<Uint8Array>, elements: Elements): AsyncGenerator<void> {
  // Without counting lines, which costs time, the parser has no limits of its own: `flush` and `token` are them.
  const parser = new sax.SAXParser(true, { position: false });
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let depth = 0;
  let attributes = 0;
  let unanswered = 0;
  const fail = () => {
    throw damaged();
  };
  parser.onerror = fail;
  parser.ondoctype = fail;
  parser.onopentagstart = () => {
    attributes = 0;
    unanswered = 0;
    if (++depth > workbookLimits.depth) fail();
  };
  parser.onattribute = () => {
    if (++attributes > workbookLimits.attributes) fail();
  };
  parser.onopentag = (tag) => elements.open?.(local(tag.name), tag.attributes as Attributes);
  parser.onclosetag = (name) => {
    depth--;
    unanswered = 0;
    elements.close?.(local(name));
  };
  const onText = (text: string) => {
    unanswered = 0;
    elements.text?.(text);
  };
  parser.ontext = onText;
  parser.oncdata = onText;
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; at += PIECE) {
      const piece = chunk.subarray(at, at + PIECE);
      unanswered += piece.length;
      if (unanswered > workbookLimits.token) fail();
      parser.write(decode(decoder, piece));
      parser.flush();
      yield;
    }
  }
  parser.write(decode(decoder));
  parser.close();
  yield;
}

const decode = (decoder: TextDecoder, chunk?: Uint8Array): string => {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined });
  } catch {
    throw damaged();
  }
};

/** Parses a part to its end. */
export const parseAll = async (bytes: AsyncIterable<Uint8Array>, elements: Elements): Promise<void> => {
  for await (const _ of parseXml(bytes, elements));
};
