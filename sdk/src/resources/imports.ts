import type { Call } from '../call.ts';
import type { Download } from '../download.ts';
import type { List } from '../list.ts';
import type { RequestOptions, WriteOptions } from '../options.ts';
import { at, type Upload } from '../request.ts';
import { Resource } from '../resource.ts';
import { pause } from '../transport.ts';
import type { Body, Data, Item, Query, Schemas } from '../types.ts';

export interface ImportOptions extends Omit<Query<'createImport'>, 'mapping' | 'create_fields'> {
  /** The field of each column, by its index from 0. `null` ignores a column. */
  readonly mapping?: Readonly<Record<number, string | null>> | undefined;
  /** Contact fields to create from columns when the import is applied. */
  readonly create_fields?: Body<'replanImport'>['create_fields'];
}

export interface WaitOptions extends RequestOptions {
  /** The pause between two requests. Default: 500. */
  readonly intervalMs?: number | undefined;
}

export type ImportProgress = Pick<Schemas['Import'], 'state' | 'progress' | 'rows' | 'totals'>;

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const RUNNING: readonly string[] = ['planning', 'applying', 'undoing', 'deleting'];

/** A workbook is a ZIP archive, which starts with `PK`. */
const typeOf = (file: Upload, name = ''): string => {
  const bytes = file instanceof ArrayBuffer ? new Uint8Array(file) : file;
  const isWorkbook =
    (bytes instanceof Uint8Array && bytes[0] === 0x50 && bytes[1] === 0x4b) ||
    (file instanceof Blob && file.type === XLSX) ||
    name.toLowerCase().endsWith('.xlsx');
  return isWorkbook ? XLSX : 'text/csv';
};

export class Imports extends Resource {
  /** Uploads a file and plans its import. No contact changes before `apply`. There is no time limit unless the options
   *  have one, and the upload is not repeated after a lost connection. */
  create(
    file: Upload,
    { mapping, create_fields, ...query }: ImportOptions = {},
    options?: RequestOptions,
  ): Call<Data<'createImport'>> {
    const name = query.name ?? (file instanceof Blob && 'name' in file ? String(file.name) : undefined);
    return this.transport.call(
      {
        method: 'POST',
        path: '/imports',
        query: {
          ...query,
          name,
          mapping: mapping && JSON.stringify(mapping),
          create_fields: create_fields && JSON.stringify(create_fields),
        },
        raw: { body: file, type: typeOf(file, name) },
        safety: 'none',
      },
      { timeoutMs: 0, totalTimeoutMs: 0, ...options },
    );
  }

  /** How the columns of a file would be read. Nothing is stored. */
  previewColumns(
    file: Upload,
    query?: Query<'previewImportColumns'>,
    options?: RequestOptions,
  ): Call<Data<'previewImportColumns'>> {
    const raw = { body: file, type: typeOf(file) };
    return this.transport.call(
      { method: 'POST', path: '/imports/columns', query, raw, safety: 'harmless' },
      options,
    );
  }

  /** Imports, newest first. */
  list(query?: Query<'listImports'>, options?: RequestOptions): List<Item<'listImports'>> {
    return this.list_<'listImports'>('/imports', query, options);
  }

  get(id: string, options?: RequestOptions): Call<Data<'getImport'>> {
    return this.get_<'getImport'>(at`/imports/${id}`, options);
  }

  /** Plans the import again with other options. */
  replan(id: string, fields: Body<'replanImport'>, options?: WriteOptions): Call<Data<'replanImport'>> {
    return this.send_<'replanImport'>('PATCH', at`/imports/${id}`, options, fields);
  }

  delete(id: string, options?: RequestOptions): Call<Data<'deleteImport'>> {
    return this.delete_(at`/imports/${id}`, options);
  }

  /** Rows of an import with their verdicts; `verdict: 'invalid'` lists those that cannot be imported. */
  listRows(
    id: string,
    query?: Query<'listImportRows'>,
    options?: RequestOptions,
  ): List<Item<'listImportRows'>> {
    return this.list_<'listImportRows'>(at`/imports/${id}/rows`, query, options);
  }

  /** Starts to write the planned changes. `wait` returns when it is done. */
  apply(id: string, options?: WriteOptions): Call<Data<'applyImport'>> {
    return this.send_<'applyImport'>('POST', at`/imports/${id}/apply`, options);
  }

  /** What an undo would do now. */
  previewUndo(id: string, options?: RequestOptions): Call<Data<'previewImportUndo'>> {
    return this.get_<'previewImportUndo'>(at`/imports/${id}/undo`, options);
  }

  /** Starts to undo an applied import. `wait` returns when it is done. */
  undo(id: string, options?: WriteOptions): Call<Data<'undoImport'>> {
    return this.send_<'undoImport'>('POST', at`/imports/${id}/undo`, options);
  }

  /** Why rows are rejected or imported without a cell, with counts. */
  reasons(id: string, options?: RequestOptions): Call<Data<'getImportReasons'>> {
    return this.get_<'getImportReasons'>(at`/imports/${id}/reasons`, options);
  }

  /** Every row with its verdict and effect, or those of a filter such as `{ verdict: 'invalid' }`, as CSV. */
  report(id: string, options?: RequestOptions, query?: Query<'downloadImportReport'>): Call<Download> {
    return this.download_(at`/imports/${id}/report.csv`, options, query);
  }

  /** The progress of an import, until it has stopped. */
  async *events(
    id: string,
    { intervalMs = 500, ...options }: WaitOptions = {},
  ): AsyncGenerator<ImportProgress, void, undefined> {
    while (true) {
      const { state, progress, rows, totals } = await this.get(id, options);
      yield { state, progress, rows, totals };
      if (!RUNNING.includes(state)) return;
      await pause(intervalMs, options.signal);
    }
  }

  /** The import, when it has stopped running. */
  async wait(id: string, { intervalMs = 500, ...options }: WaitOptions = {}): Promise<Data<'getImport'>> {
    while (true) {
      const found = await this.get(id, options);
      if (!RUNNING.includes(found.state)) return found;
      await pause(intervalMs, options.signal);
    }
  }
}
