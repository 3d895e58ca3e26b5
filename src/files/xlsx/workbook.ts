import { posix } from 'node:path';
import { FileProblem } from '../csv/problem.ts';
import { damaged, workbookLimits } from './limits.ts';
import { readSharedStrings, type SharedStrings } from './strings.ts';
import { isBuiltInDate, isDateFormat } from './values.ts';
import { parseSmall } from './xml.ts';
import { Archive } from './zip.ts';

export interface Sheet {
  name: string;
  part: string;
  isHidden: boolean;
}

/** A workbook without its rows. */
export interface Workbook {
  /** The bytes of the file. */
  size: number;
  archive: Archive;
  sheets: Sheet[];
  strings: SharedStrings;
  /** By the index of a style, whether its cells are dates. */
  dateStyles: boolean[];
  is1904: boolean;
}

const WORKBOOK = 'xl/workbook.xml';
const RELATIONS = 'xl/_rels/workbook.xml.rels';

export const readWorkbook = async (bytes: Buffer): Promise<Workbook> => {
  const archive = new Archive(bytes);
  if (!archive.has(WORKBOOK)) {
    const what = archive.has('xl/workbook.bin') ? 'a binary Excel workbook (.xlsb)' : 'an archive';
    throw new FileProblem(
      `The file is ${what}, not an .xlsx workbook. Save the table as .xlsx or CSV and send that.`,
    );
  }
  const parts = await readRelations(archive);
  const { sheets, is1904 } = await readSheets(archive, parts);
  const ofType = (type: string) => [...parts.values()].find((part) => part.type === type)?.target;
  return {
    size: bytes.length,
    archive,
    sheets,
    is1904,
    strings: await readSharedStrings(archive, ofType('sharedStrings')),
    dateStyles: await readDateStyles(archive, ofType('styles')),
  };
};

interface Relation {
  type: string;
  target: string;
}

const KNOWN = new Set(['worksheet', 'sharedStrings', 'styles']);

const readRelations = async (archive: Archive): Promise<Map<string, Relation>> => {
  const relations = new Map<string, Relation>();
  await parseSmall(archive.read(RELATIONS, workbookLimits.smallPart), {
    open: (name, { Id, Type = '', Target }) => {
      const type = Type.slice(Type.lastIndexOf('/') + 1);
      if (name !== 'Relationship' || !Id || !Target || !KNOWN.has(type)) return;
      if (relations.size > workbookLimits.sheets + KNOWN.size) throw tooManySheets();
      relations.set(Id, { type, target: posix.resolve('/xl', Target).slice(1) });
    },
  });
  return relations;
};

const tooManySheets = () =>
  new FileProblem(
    `The workbook has more than ${workbookLimits.sheets.toLocaleString('en')} sheets. Save one of them as CSV and send that.`,
  );

/** The sheets that have rows, in the order of the workbook. */
const readSheets = async (archive: Archive, parts: ReadonlyMap<string, Relation>) => {
  const sheets: Sheet[] = [];
  let is1904 = false;
  await parseSmall(archive.read(WORKBOOK, workbookLimits.smallPart), {
    open: (name, attributes) => {
      if (name === 'workbookPr') is1904 = ['1', 'true'].includes(attributes.date1904 ?? '');
      if (name !== 'sheet') return;
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1];
      const part = parts.get(id ?? '');
      if (part?.type !== 'worksheet') return;
      if (sheets.length === workbookLimits.sheets) throw tooManySheets();
      sheets.push({
        name: (attributes.name ?? '').slice(0, workbookLimits.sheetName).toWellFormed(),
        part: part.target,
        isHidden: (attributes.state ?? 'visible') !== 'visible',
      });
    },
  });
  return { sheets, is1904 };
};

const readDateStyles = async (archive: Archive, part: string | undefined): Promise<boolean[]> => {
  const styles: boolean[] = [];
  if (part === undefined || !archive.has(part)) return styles;
  const formats = new Map<number, boolean>();
  let isCellStyle = false;
  await parseSmall(archive.read(part, workbookLimits.smallPart), {
    open: (name, { numFmtId, formatCode = '' }) => {
      const format = Number(numFmtId ?? 0);
      if (name === 'cellXfs') isCellStyle = true;
      else if (name === 'numFmt') formats.set(format, isDateFormat(formatCode));
      else if (name === 'xf' && isCellStyle) styles.push(formats.get(format) ?? isBuiltInDate(format));
      if (Math.max(styles.length, formats.size) > workbookLimits.styles) throw damaged();
    },
    close: (name) => {
      if (name === 'cellXfs') isCellStyle = false;
    },
  });
  return styles;
};
