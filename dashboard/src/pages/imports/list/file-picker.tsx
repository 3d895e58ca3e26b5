import { FileSpreadsheet, FileUp } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import type { ImportBeginning } from '../../../api/types.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { formatText, sizeText } from '../../../records/imports/labels.ts';
import { Button } from '../../../ui/button.tsx';
import { cx } from '../../../ui/cx.ts';
import { Notice } from '../../../ui/notice.tsx';
import { ErrorText } from '../error-text.tsx';
import { useDrop } from './file-drop.ts';

const CHOOSE_AGAIN = t('Choose another file');

/** Opens the browser's file dialog. The same file can be selected again after it was corrected. */
const ChooseButton = ({
  label,
  variant = 'secondary',
  busy = false,
  onFiles,
}: {
  readonly label: string;
  readonly variant?: 'primary' | 'secondary';
  readonly busy?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}) => {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t('File')}
        accept=".csv,.tsv,.tab,.txt,.xlsx,text/csv,text/tab-separated-values,text/plain"
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          target.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
      <Button variant={variant} busy={busy} onClick={() => input.current?.click()}>
        {!busy && <FileUp aria-hidden />}
        {label}
      </Button>
    </>
  );
};

/** An error about the file, scrolled into view. */
const FileProblem = ({ name, error }: { readonly name: string; readonly error: unknown }) => {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error) container.current?.scrollIntoView({ block: 'center' });
  }, [error]);
  return (
    <div ref={container} className="w-full max-w-xl text-start">
      <Notice tone="danger">
        <p className="font-medium wrap-anywhere">{t('Couldn’t read {name}', { name })}</p>
        <ErrorText error={error} />
      </Notice>
    </div>
  );
};

interface Props {
  readonly error: unknown;
  /** Called with all selected or dropped files. */
  readonly onFiles: (files: readonly File[]) => void;
}

/** Selects a file by drag and drop or by a dialog. */
export const DropZone = ({
  name = t('The file'),
  error,
  busy,
  onFiles,
}: Props & {
  /** The name of the rejected file. */
  readonly name?: string | undefined;
  readonly busy: boolean;
}) => {
  const isDragging = useDrop(onFiles);
  return (
    <div
      className={cx(
        'mb-8 flex flex-col items-center gap-1 rounded-xl border-2 border-dashed px-5 py-10 text-center transition-colors',
        isDragging ? 'border-accent bg-accent-soft text-accent-ink' : 'border-control/60 bg-surface',
      )}
    >
      <FileSpreadsheet className="mb-2 size-8 text-accent-ink" aria-hidden />
      <p className="font-semibold">
        {isDragging ? t('Drop to preview') : t('Drop a CSV or Excel file here')}
      </p>
      <p className={cx('mb-4 max-w-lg text-sm', !isDragging && 'text-muted')}>
        {t(
          'Any list with a phone number column. Exports from Google Contacts, Outlook, HubSpot and Salesforce work as they are. Nothing changes until you apply the import.',
        )}
      </p>
      {error !== null && error !== undefined && (
        <div className="mb-4 flex w-full justify-center">
          <FileProblem name={name} error={error} />
        </div>
      )}
      <ChooseButton
        label={error ? CHOOSE_AGAIN : t('Choose a file')}
        variant="primary"
        busy={busy}
        onFiles={onFiles}
      />
    </div>
  );
};

/** The selected file and its format, with an action to replace it. */
export const ChosenFile = ({
  file,
  beginning,
  error,
  busy,
  onFiles,
  children,
}: Props & {
  readonly file: File;
  readonly beginning: ImportBeginning;
  /** The file is being uploaded and cannot be replaced. */
  readonly busy: boolean;
  readonly children?: ReactNode;
}) => {
  const isDragging = useDrop((files) => !busy && onFiles(files)) && !busy;
  return (
    <section
      aria-label={t('Selected file')}
      className={cx(
        'card mb-5 flex flex-col gap-4 p-4 sm:p-5',
        isDragging && 'border-accent! bg-accent-soft!',
      )}
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <FileSpreadsheet className="size-7 shrink-0 text-accent-ink" aria-hidden />
        <div className="min-w-0 flex-1 basis-52">
          <p className="font-semibold wrap-anywhere">{file.name}</p>
          <p className="text-sm text-muted">
            {sizeText(file.size)}, {formatText(beginning)}
          </p>
        </div>
        {!busy && <ChooseButton label={CHOOSE_AGAIN} onFiles={onFiles} />}
      </div>
      {error !== null && error !== undefined && <FileProblem name={file.name} error={error} />}
      {children}
    </section>
  );
};
