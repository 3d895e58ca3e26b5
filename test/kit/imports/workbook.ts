import { crc32, deflateRawSync } from 'node:zlib';

/** Writes a ZIP archive of deflated parts. */
export const zipOf = (parts: Readonly<Record<string, string | Buffer>>, flags = 0): Buffer => {
  const written: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(parts)) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes, { level: 1 });
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(flags, 2);
    shared.writeUInt16LE(8, 4);
    shared.writeUInt32LE(crc32(bytes), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(bytes.length, 18);
    shared.writeUInt16LE(Buffer.byteLength(name), 22);
    const attributes = Buffer.alloc(14);
    attributes.writeUInt32LE(offset, 10);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), shared, Buffer.from(name), packed]);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), shared, attributes, Buffer.from(name)]));
    written.push(local);
    offset += local.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...written, entries, end]);
};

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** The rows of a sheet with text cells. */
export const rowsXml = (rows: readonly (readonly string[])[]): string =>
  rows
    .map((cells) => cells.map((cell) => `<c t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`).join(''))
    .map((cells) => `<row>${cells}</row>`)
    .join('');

export interface WorkbookParts {
  /** The rows of each sheet as XML, by its name. */
  sheets: Readonly<Record<string, string>>;
  hidden?: readonly string[];
  /** The items of the shared strings as XML. */
  strings?: string;
  /** The content of the styles as XML. */
  styles?: string;
  is1904?: boolean;
  /** Additional parts, which may replace others. */
  more?: Readonly<Record<string, string | Buffer>>;
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const RELATION = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** The parts of an .xlsx workbook. */
export const partsOf = ({
  sheets,
  hidden = [],
  strings = '',
  styles = '',
  is1904 = false,
  more = {},
}: WorkbookParts): Record<string, string | Buffer> => {
  const names = Object.keys(sheets);
  const listed = names.map((name, at) => {
    const state = hidden.includes(name) ? ' state="hidden"' : '';
    return `<sheet name="${escaped(name)}" sheetId="${at + 1}"${state} r:id="rId${at + 1}"/>`;
  });
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${RELATION}/${type}" Target="${target}"/>`;
  return {
    '[Content_Types].xml': `${XML}<Types/>`,
    'xl/workbook.xml': `${XML}<workbook ${MAIN} xmlns:r="${RELATION}"><workbookPr date1904="${is1904}"/><sheets>${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${XML}<Relationships>${names
      .map((_, at) => relation(`rId${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`))
      .join(
        '',
      )}${relation('s1', 'sharedStrings', '/xl/sharedStrings.xml')}${relation('s2', 'styles', 'styles.xml')}</Relationships>`,
    'xl/sharedStrings.xml': `${XML}<sst ${MAIN}>${strings}</sst>`,
    'xl/styles.xml': `${XML}<styleSheet ${MAIN}>${styles}</styleSheet>`,
    ...Object.fromEntries(
      Object.values(sheets).map((rows, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `${XML}<worksheet ${MAIN}><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
    ...more,
  };
};

export const workbookOf = (parts: WorkbookParts): Buffer => zipOf(partsOf(parts));
