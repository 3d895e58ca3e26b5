import { ApiError } from '../../../api/api-error.ts';
import { apiErrorFrom, apiUrl, call } from '../../../api/client.ts';
import { connection } from '../../../api/connection.ts';
import { session } from '../../../api/session.ts';
import type { Import, ImportBeginning } from '../../../api/types.gen.ts';
import { t } from '../../../lib/i18n.ts';
import type { FormatChoice } from '../mapping.ts';

const SAMPLE_BYTES = 1_048_576;
const MAX_BYTES = 1_073_741_824;
const MAX_WORKBOOK_BYTES = 20_971_520;

const WORKBOOK = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const unreadable = () =>
  new ApiError(
    'VALIDATION_ERROR',
    t("The file can't be read. It may have been moved or changed, or it is a folder. Choose it again."),
  );

const isWorkbook = async (file: File): Promise<boolean> => (await file.slice(0, 4).text()) === 'PK\x03\x04';

/** How much of a file is sent to detect its format: a workbook can only be read as a whole. */
const bytesToSend = async (file: File): Promise<number> => {
  if (!(await isWorkbook(file))) return SAMPLE_BYTES;
  if (file.size <= MAX_WORKBOOK_BYTES) return file.size;
  throw new ApiError(
    'PAYLOAD_TOO_LARGE',
    t('The workbook is larger than 20 MB. Save the sheet as CSV and import that file.'),
  );
};

/** Detects the format and columns of a file. Only the beginning of a text file is sent. */
export const detectFormat = async (file: File, query: FormatChoice): Promise<ImportBeginning> => {
  if (file.size > MAX_BYTES)
    throw new ApiError(
      'PAYLOAD_TOO_LARGE',
      t('The file is larger than 1 GB. Split it and import the parts.'),
    );
  const bytes = await bytesToSend(file)
    .then((length) => file.slice(0, length).arrayBuffer())
    .catch((error) => {
      throw error instanceof ApiError ? error : unreadable();
    });
  return (await call('POST', '/imports/columns', { query, file: new Blob([bytes]) })).data;
};

/** Why an upload failed without a response: the file changed, or the service is unreachable. */
const uploadError = async (file: File): Promise<ApiError> => {
  const isReadable = await file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );
  if (!isReadable) return unreadable();
  connection.markLost();
  return new ApiError(
    'CONNECTION_LOST',
    t('The connection was lost during the upload. Nothing was saved. Try again.'),
  );
};

export interface Upload {
  readonly file: File;
  readonly query: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly signal: AbortSignal;
  /** The number of bytes sent so far. */
  readonly onSent: (bytes: number) => void;
}

/** Uploads a file for a preview. Uses XMLHttpRequest because `fetch` reports no upload progress. */
export const sendFile = ({ file, query, signal, onSent }: Upload): Promise<Import> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', apiUrl('/imports', {}, { ...query, name: file.name.slice(0, 200) }));
    request.setRequestHeader('content-type', /\.xlsx$/i.test(file.name) ? WORKBOOK : 'text/csv');
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded }) => onSent(loaded);
    request.onload = () => {
      const { status, response } = request;
      if (status === 201 && response) return resolve((response as { data: Import }).data);
      const failure = apiErrorFrom(new Response(null, { status }), response);
      if (failure.code === 'UNAUTHORIZED') session.markEnded();
      reject(failure);
    };
    request.onerror = () => void uploadError(file).then(reject);
    request.onabort = () => reject(new ApiError('CONNECTION_LOST', t('The upload was canceled.')));
    signal.addEventListener('abort', () => request.abort());
    request.send(file);
  });
