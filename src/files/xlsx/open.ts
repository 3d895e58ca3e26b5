import { invalidField } from '../../lib/errors.ts';
import { readAhead } from '../csv/ahead.ts';
import { findHeaderRow } from '../csv/header-row.ts';
import { type FileChoices, filled, type OpenTable, openRecords } from '../csv/open.ts';
import { FileProblem } from '../csv/problem.ts';
import { collectWorkbook } from './limits.ts';
import { readSheet } from './sheet.ts';
import { readWorkbook, type Sheet, type Workbook } from './workbook.ts';

/** Whether a file is a ZIP archive, as workbooks are. */
export const isArchive = (head: Uint8Array): boolean =>
  Buffer.from(head.subarray(0, 4)).toString('latin1') === 'PK\x03\x04';

/** Opens the chosen sheet of an .xlsx workbook, or the first visible one with content. */
export const openWorkbook = async (
  bytes: AsyncIterable<Uint8Array>,
  choices: FileChoices = {},
): Promise<OpenTable> => {
  if (choices.encoding) throw invalidField('encoding', 'is supported only for CSV files. Remove it.');
  const workbook = await readWorkbook(await collectWorkbook(bytes));
  const { sheet, batches } = await findContent(workbook, candidatesOf(workbook, choices.sheet));
  const { header_row, ...rest } = await openRecords(batches, choices, findHeaderRow);
  return {
    ...rest,
    sheets: workbook.sheets.map(({ name }) => name),
    format: {
      encoding: 'utf-8',
      encoding_source: 'detected',
      delimiter: ',',
      header_row,
      sheet: sheet.name,
    },
  };
};

const candidatesOf = ({ sheets }: Workbook, chosen: string | undefined): Sheet[] => {
  if (chosen === undefined) return sheets.filter(({ isHidden }) => !isHidden);
  const sheet = sheets.find(({ name }) => name === chosen);
  if (sheet) return [sheet];
  const names = sheets.map(({ name }) => name).join(', ');
  const message = `${JSON.stringify(chosen)} does not exist. Available sheets: ${names}.`;
  throw invalidField('sheet', message);
};

const findContent = async (workbook: Workbook, candidates: readonly Sheet[]) => {
  for (const sheet of candidates) {
    const { read, failure, all } = await readAhead(filled(readSheet(workbook, sheet.part), 0), 1);
    if (failure) throw failure.error;
    if (read.length > 0) return { sheet, batches: all };
  }
  const [only, ...more] = candidates;
  throw new FileProblem(
    only && more.length === 0 ? `The sheet ${only.name} is empty.` : 'The workbook is empty.',
  );
};
