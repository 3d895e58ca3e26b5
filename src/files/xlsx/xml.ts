import sax from 'sax';
import { damaged, workbookLimits } from './limits.ts';

export type Attributes = Readonly<Record<string, string>>;

/** Callbacks for the elements of a part. Names have no namespace prefix. */
export interface Elements {
  open?: (name: string, attributes: Attributes) => void;
  /** Called with each chunk of the text. */
  text?: (text: string) => void;
  close?: (name: string) => void;
}

const local = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Bytes to parse between two yields. They are few, because each cell can refer to a long shared string. */
const CHUNK_BYTES = 4_096;

/** Parses a part as a stream, and yields after each chunk. Rejects a document type, and with it custom entities. */
export async function* parseXml(bytes: AsyncIterable<Uint8Array>, elements: Elements): AsyncGenerator<void> {
  // With `position: false`, which saves time, the parser enforces no limits: `flush` and `token` replace them.
  const parser = new sax.SAXParser(true, { position: false });
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let depth = 0;
  let attributes = 0;
  let pendingBytes = 0;
  const fail = () => {
    throw damaged();
  };
  parser.onerror = fail;
  parser.ondoctype = fail;
  parser.onopentagstart = () => {
    attributes = 0;
    pendingBytes = 0;
    if (++depth > workbookLimits.depth) fail();
  };
  parser.onattribute = () => {
    if (++attributes > workbookLimits.attributes) fail();
  };
  parser.onopentag = (tag) => elements.open?.(local(tag.name), tag.attributes as Attributes);
  parser.onclosetag = (name) => {
    depth--;
    pendingBytes = 0;
    elements.close?.(local(name));
  };
  const onText = (text: string) => {
    pendingBytes = 0;
    elements.text?.(text);
  };
  parser.ontext = onText;
  parser.oncdata = onText;
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; at += CHUNK_BYTES) {
      const slice = chunk.subarray(at, at + CHUNK_BYTES);
      pendingBytes += slice.length;
      if (pendingBytes > workbookLimits.token) fail();
      parser.write(decode(decoder, slice));
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

export const parseAll = async (bytes: AsyncIterable<Uint8Array>, elements: Elements): Promise<void> => {
  for await (const _ of parseXml(bytes, elements));
};

/** Parses a part that has few elements in a real workbook. */
export const parseSmall = (bytes: AsyncIterable<Uint8Array>, { open, ...rest }: Elements): Promise<void> => {
  let count = 0;
  return parseAll(bytes, {
    ...rest,
    open: (name, attributes) => {
      if (++count > workbookLimits.elements) throw damaged();
      open?.(name, attributes);
    },
  });
};
