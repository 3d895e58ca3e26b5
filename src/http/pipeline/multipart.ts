import { ApiError, invalidField, invalidRequest } from '../../lib/errors.ts';
import { isStorable } from '../../lib/text.ts';

/* The file of a multipart/form-data body (RFC 7578), as a stream. Memory is limited to one chunk and the headers of a part. */

const MAX_HEADERS = 8_192;
/** Text before the first boundary or after the last one, which has no meaning. */
const MAX_IGNORED = 65_536;
const CRLF = '\r\n';

const BOUNDARY = /^boundary=(?:"([\w'()+,\-./:=? ]{1,70})"|([\w'()+,\-./:=?]{1,70}))$/i;

const boundaryOf = (type: string): string => {
  const [media = '', ...parameters] = type.split(';').map((part) => part.trim());
  if (media.toLowerCase() !== 'multipart/form-data') {
    throw new ApiError(
      'UNSUPPORTED_MEDIA_TYPE',
      'Send the file itself as the body, or as the only part of multipart/form-data.',
    );
  }
  const found = parameters.map((each) => BOUNDARY.exec(each)).find((match) => match !== null);
  const boundary = found?.[1] ?? found?.[2];
  if (boundary === undefined || boundary.endsWith(' ')) {
    throw invalidRequest(
      'The Content-Type multipart/form-data has no valid boundary. Let your HTTP client set this header.',
    );
  }
  return boundary;
};

const malformed = (reason: string) => invalidRequest(`The form is malformed: ${reason} Send the file again.`);

const onlyOneFile = () =>
  invalidField('file', 'must be the only part of the form, with a file name. Send options in the query.');

/** Reads a stream up to a text, across chunks. */
class Scanner {
  #chunks: AsyncIterator<Buffer>;
  #rest: Buffer;

  constructor(chunks: AsyncIterable<Buffer>, start: string) {
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.#rest = Buffer.from(start);
  }

  /** False at the end of the stream. */
  async #more(): Promise<boolean> {
    const { done, value } = await this.#chunks.next();
    if (done) return false;
    this.#rest = this.#rest.length === 0 ? value : Buffer.concat([this.#rest, value]);
    return true;
  }

  /** The bytes before a text, in chunks. The text is consumed. */
  async *until(text: string): AsyncGenerator<Buffer> {
    const wanted = Buffer.from(text);
    for (;;) {
      const at = this.#rest.indexOf(wanted);
      const isFound = at !== -1;
      const end = isFound ? at : Math.max(0, this.#rest.length - wanted.length + 1);
      const ready = this.#rest.subarray(0, end);
      this.#rest = this.#rest.subarray(isFound ? end + wanted.length : end);
      if (ready.length > 0) yield ready;
      if (isFound) return;
      if (!(await this.#more())) throw malformed('its closing boundary is missing.');
    }
  }

  /** The same as one buffer of limited size. */
  async collect(text: string, limit: number, problem: string): Promise<Buffer> {
    const found: Buffer[] = [];
    let size = 0;
    for await (const chunk of this.until(text)) {
      size += chunk.length;
      if (size > limit) throw malformed(problem);
      found.push(chunk);
    }
    return Buffer.concat(found);
  }

  /** The next two bytes, which are not consumed. */
  async peek(): Promise<string> {
    while (this.#rest.length < 2 && (await this.#more()));
    return this.#rest.toString('latin1', 0, 2);
  }

  /** Reads the rest. */
  async discard(limit: number): Promise<void> {
    let size = this.#rest.length;
    this.#rest = Buffer.alloc(0);
    while (size <= limit && (await this.#more())) {
      size += this.#rest.length;
      this.#rest = Buffer.alloc(0);
    }
    if (size > limit) throw malformed('it has text after its closing boundary.');
  }
}

/** A quoted parameter of a Content-Disposition header. Browsers encode quotes and line breaks as %22, %0D and %0A. */
const quotedParameter = (header: string, name: string): string | undefined => {
  const start = header.toLowerCase().indexOf(`${name}="`);
  if (start === -1) return undefined;
  let value = '';
  for (let at = start + name.length + 2; at < header.length; at++) {
    const char = header[at] as string;
    if (char === '"') return value.replaceAll('%22', '"').replaceAll('%0D', '').replaceAll('%0A', '');
    if (char === '\\' && at + 1 < header.length && (header[at + 1] === '"' || header[at + 1] === '\\')) at++;
    value += header[at];
  }
  return undefined;
};

const PLAIN_ENCODINGS = new Set(['', '7bit', '8bit', 'binary']);

/** The name of the file in the headers of a part. Throws if the part is not a file. */
const fileNameIn = (headers: string): string => {
  const fields = new Map(
    headers.split(CRLF).map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  if (!PLAIN_ENCODINGS.has((fields.get('content-transfer-encoding') ?? '').toLowerCase()))
    throw malformed('its file has a Content-Transfer-Encoding, which is not supported.');
  const name = quotedParameter(fields.get('content-disposition') ?? '', '; filename');
  if (name === undefined) throw onlyOneFile();
  return name;
};

/** The last segment of a path; some clients send one. Undefined if it cannot be stored. */
const baseName = (name: string): string | undefined => {
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  return base.trim() !== '' && isStorable(base) ? base : undefined;
};

/** The file of an upload and the name that the client gave it: the body itself, or the only part of a form. A problem that follows the
 *  file is thrown at the end of its bytes. */
export const openUpload = async (type: string | undefined, body: AsyncIterable<Buffer>) => {
  if (!type || !/^multipart\//i.test(type)) return { name: undefined, isForm: false, bytes: body };
  const delimiter = `${CRLF}--${boundaryOf(type)}`;
  // The first boundary has no line before it.
  const scanner = new Scanner(body, CRLF);
  await scanner.collect(delimiter, MAX_IGNORED, 'it has too much text before its first boundary.');
  if ((await scanner.peek()) === '--') throw onlyOneFile();
  await scanner.collect(CRLF, MAX_IGNORED, 'its boundary is not at the end of a line.');
  if ((await scanner.peek()) === CRLF) throw onlyOneFile();
  const headers = await scanner.collect(
    `${CRLF}${CRLF}`,
    MAX_HEADERS,
    'the headers of its part are too long.',
  );
  const name = fileNameIn(headers.toString('utf8'));
  async function* bytes() {
    yield* scanner.until(delimiter);
    if ((await scanner.peek()) !== '--') throw onlyOneFile();
    await scanner.discard(MAX_IGNORED);
  }
  return { name: baseName(name), isForm: true, bytes: bytes() };
};
