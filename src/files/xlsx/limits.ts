import { limitSize, MIB } from '../csv/limits.ts';
import { FileProblem } from '../csv/problem.ts';

/** Limits of a workbook, in bytes. The packed file is read into memory, since the directory of a ZIP archive is at its end;
 *  its parts are unpacked as streams. */
export const workbookLimits = {
  file: 20 * MIB,
  /** All parts that are read, unpacked. */
  unpacked: 256 * MIB,
  /** One part that is read into memory, such as the shared strings. */
  part: 64 * MIB,
  /** One part with a few entries, such as the styles. */
  smallPart: 16 * MIB,
  /** Elements of such a part. */
  elements: 1_000_000,
  /** Formats of cells, and of numbers. Excel has at most 65,490. */
  styles: 65_536,
  /** Rows of a sheet, also empty ones. Excel has no more. A row of one character takes hardly a byte of the file and much of the database. */
  rows: 1_048_576,
  /** Characters of all cells of a sheet with their separators, at least; see `maxCharacters`. */
  characters: 32 * MIB,
  /** The same, for each byte of the file. Cells that refer to a shared string, or whose XML is repetitive, take few bytes. */
  charactersPerByte: 20,
  /** Files in the archive. */
  files: 10_000,
  /** Nested elements. */
  depth: 64,
  /** Attributes of one element. */
  attributes: 256,
  /** One tag with its attributes, or one comment. */
  token: MIB / 4,
  sheets: 1_000,
  sheetName: 255,
} as const;

export const SAVE_AS_CSV = 'Save the sheet as CSV and send that.';

export const tooLarge = (what: string, bytes: number): FileProblem =>
  new FileProblem(`${what} ${bytes / MIB} MiB. ${SAVE_AS_CSV}`, undefined, 'PAYLOAD_TOO_LARGE');

/** How many characters the cells of a sheet may have, by the size of the file. */
export const maxCharacters = (bytes: number): number =>
  Math.max(workbookLimits.characters, workbookLimits.charactersPerByte * bytes);

export const damaged = (): FileProblem =>
  new FileProblem(
    `The workbook is incomplete or damaged. Send the whole file; if it is whole, open it in Excel and save it again.`,
  );

export const collectWorkbook = async (bytes: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const { message } = tooLarge('The workbook is larger than', workbookLimits.file);
  return Buffer.concat(await Array.fromAsync(limitSize(bytes, workbookLimits.file, message)));
};
