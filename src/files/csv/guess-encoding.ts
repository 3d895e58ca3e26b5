import { analyse } from 'chardet';

/** Encodings that a user can choose, by their names in the Encoding Standard, which `TextDecoder` follows. */
export const encodings = [
  'utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'windows-1250', 'windows-1251', 'windows-1253', 'windows-1254',
  'windows-1255', 'windows-1256', 'windows-1257', 'windows-1258', 'windows-874', 'iso-8859-2', 'iso-8859-5', 'koi8-r',
  'koi8-u', 'ibm866', 'macintosh', 'shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr',
] as const; // biome-ignore format: a list
export type Encoding = (typeof encodings)[number];

/** Candidates for bytes that are not Unicode. */
const CANDIDATES: readonly Encoding[] = [
  'windows-1252', 'windows-1250', 'windows-1251', 'windows-1253', 'windows-1254', 'windows-1255', 'windows-1256', 'koi8-r',
  'shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr',
]; // biome-ignore format: a list

/** Where the detector names a standard, files use the Windows encoding that extends it. */
const EXTENDED: Record<string, Encoding> = {
  'iso-8859-1': 'windows-1252',
  'iso-8859-2': 'windows-1250',
  'iso-8859-6': 'windows-1256',
  'iso-8859-7': 'windows-1253',
  'iso-8859-8': 'windows-1255',
  'iso-8859-8-i': 'windows-1255',
  'iso-8859-9': 'windows-1254',
};

/** By how much the best score must exceed that of a different text. Measured: see decision 0039. */
const MARGIN = 0.1;
/** Below this score, no encoding fits. */
const MIN_SCORE = 0.5;
const SAMPLE_BYTES = 4_096;

/** The encoding of bytes that are not UTF-8 or UTF-16, estimated by the detector's confidence and by how much the text looks
 *  like words. Only cells with non-ASCII bytes count. `isSure` says that no other encoding with a different text fits about as well. */
export const guessEncoding = (bytes: Uint8Array): { encoding: Encoding; isSure: boolean } => {
  const sample = nonAsciiCells(bytes);
  const likely = new Map<string, number>();
  for (const { name, confidence } of analyse(sample)) {
    const known = EXTENDED[name.toLowerCase()] ?? name.toLowerCase();
    likely.set(known, Math.max(likely.get(known) ?? 0, confidence / 100));
  }
  const guesses = CANDIDATES.map((encoding) => {
    const text = new TextDecoder(encoding).decode(sample);
    return {
      encoding,
      text,
      score: UNDECODED.test(text) ? 0 : (likely.get(encoding) ?? 0) + plausibility(text),
    };
  }).sort((left, right) => right.score - left.score);
  const [best = { encoding: 'windows-1252' as const, text: '', score: 0 }] = guesses;
  const other = guesses.find(({ text }) => text !== best.text)?.score ?? 0;
  return best.score < MIN_SCORE
    ? { encoding: 'windows-1252', isSure: false }
    : { encoding: best.encoding, isSure: best.score - other >= MARGIN };
};

/** Cells with non-ASCII bytes, separated by spaces. A trailing byte of a multibyte character may look like a delimiter, but
 *  never a leading one. */
const nonAsciiCells = (bytes: Uint8Array): Uint8Array => {
  let sample = '';
  for (const cell of Buffer.from(bytes)
    .toString('latin1')
    .split(/[,;\t\r\n"]/)) {
    if (sample.length >= SAMPLE_BYTES) break;
    if (/[\x80-\xff]/.test(cell)) sample += `${cell.slice(0, SAMPLE_BYTES)} `;
  }
  return Buffer.from(sample, 'latin1');
};

/** Characters that do not occur in text. */
const UNDECODED = /[\u0080-\u009f\ufffd\ue000-\uf8ff]/u;
const WORDS = /[\p{L}\p{M}]+/gu;
const SIGNS = /[^\p{L}\p{M}\p{ASCII}々ー]/gu;

/** The share of non-ASCII letters that are in plausible words, from 0 to 1: words of one script, without a capital after a
 *  lowercase letter and, if Latin, with at most half of their letters outside of ASCII. */
const plausibility = (text: string): number => {
  let [good, all] = [0, text.match(SIGNS)?.length ?? 0];
  for (const word of text.match(WORDS) ?? []) {
    const special = word.match(/\P{ASCII}/gu)?.length ?? 0;
    all += special;
    if (isWord(word, special)) good += special;
  }
  return all === 0 ? 0 : good / all;
};

const isWord = (word: string, special: number): boolean => {
  if (/\p{Ll}\p{Lu}/u.test(word)) return false;
  if (!/\p{Script=Latin}/u.test(word)) return true;
  if (/[^\p{Script=Latin}\p{M}]/u.test(word)) return false;
  return (word.length === 1 || special <= word.length / 2) && !/\P{ASCII}{3}/u.test(word);
};
