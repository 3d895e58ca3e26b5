import { limits, RECORDS_PER_BATCH } from '../csv/limits.ts';
import { type CsvRecord, tooLong, tooManyColumns } from '../csv/parser.ts';
import { FileProblem } from '../csv/problem.ts';
import { damaged, maxCharacters, SAVE_AS_CSV, tooLarge, workbookLimits } from './limits.ts';
import { TextRuns } from './strings.ts';
import { dateText, numberText } from './values.ts';
import type { Workbook } from './workbook.ts';
import { type Attributes, parseXml } from './xml.ts';

/** The rows of a sheet in batches, without empty rows; `line` is the row number. */
export async function* readSheet(workbook: Workbook, part: string): AsyncGenerator<CsvRecord[]> {
  const rows = new RowReader(workbook);
  for await (const _ of parseXml(workbook.archive.read(part), rows)) {
    while (rows.records.length >= RECORDS_PER_BATCH) yield rows.records.splice(0, RECORDS_PER_BATCH);
  }
  if (rows.records.length > 0) yield rows.records.splice(0);
}

class RowReader {
  readonly records: CsvRecord[] = [];
  readonly #workbook: Workbook;
  readonly #runs = new TextRuns();
  #line = 0;
  #cells: string[] = [];
  #length = 0;
  #characters = 0;
  #column = -1;
  #type = 'n';
  #style = 0;
  #isData = false;

  constructor(workbook: Workbook) {
    this.#workbook = workbook;
  }

  open = (name: string, attributes: Attributes): void => {
    if (name === 'sheetData') this.#isData = true;
    if (!this.#isData) return;
    if (name === 'row') this.#openRow(attributes);
    else if (name === 'c') this.#openCell(attributes);
    else this.#runs.open(name);
  };

  text = (text: string): void => {
    if (this.#isData) this.#runs.text(text);
  };

  close = (name: string): void => {
    if (name === 'sheetData') this.#isData = false;
    if (!this.#isData) return;
    if (name === 'row') this.#closeRow();
    else if (name === 'c') this.#closeCell();
    else this.#runs.close(name);
  };

  #openRow({ r }: Attributes): void {
    const line = r === undefined ? this.#line + 1 : Number(r);
    if (!(Number.isSafeInteger(line) && line > this.#line)) throw damaged();
    if (line > workbookLimits.rows) {
      const reason = `The sheet has more than ${workbookLimits.rows.toLocaleString('en')} rows. ${SAVE_AS_CSV}`;
      throw new FileProblem(reason, undefined, 'PAYLOAD_TOO_LARGE');
    }
    this.#line = line;
    this.#cells = [];
    this.#length = 0;
    this.#column = -1;
  }

  #closeRow(): void {
    if (this.#cells.length === 0) return;
    // Quotes and commas of the cells as JSON, also of empty ones.
    this.#characters += this.#length + 3 * this.#cells.length;
    const most = maxCharacters(this.#workbook.size);
    if (this.#characters > most) throw tooLarge('The cells of the sheet have more text than', most);
    this.records.push({ line: this.#line, cells: Array.from(this.#cells, (cell) => cell ?? '') });
    this.#cells = [];
  }

  #openCell({ r, t = 'n', s = '0' }: Attributes): void {
    this.#column = r === undefined ? this.#column + 1 : columnOf(r);
    this.#type = t;
    this.#style = Number(s);
    this.#runs.take();
  }

  #closeCell(): void {
    const cell = this.#cell();
    if (cell === '') return;
    if (this.#column >= limits.columns) throw tooManyColumns(this.#line);
    this.#length += cell.length;
    if (cell.length > limits.cell) throw tooLong('a cell', limits.cell, this.#line);
    if (this.#length > limits.record) throw tooLong('a record', limits.record, this.#line);
    this.#cells[this.#column] = cell;
  }

  /** The cell as text: for a formula, its last calculated value; for an error, nothing. */
  #cell(): string {
    const value = this.#runs.take();
    const { strings, dateStyles, is1904 } = this.#workbook;
    if (value === '' || this.#type === 'e') return '';
    if (this.#type === 's') return strings.get(value);
    if (this.#type === 'b') return value.trim() === '1' ? 'TRUE' : 'FALSE';
    if (this.#type !== 'n') return value;
    return dateStyles[this.#style] ? dateText(value, is1904) : numberText(value);
  }
}

/** The column of a reference such as AB12, counted from 0. */
const columnOf = (reference: string): number => {
  const letters = /^([A-Z]{1,3})\d{1,7}$/i.exec(reference)?.[1];
  if (!letters) throw damaged();
  let column = 0;
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
};
