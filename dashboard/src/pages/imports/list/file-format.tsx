import type { ImportBeginning } from '../../../api/types.gen.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { encodingLabels, encodingSources } from '../../../records/imports/labels.ts';
import { cx } from '../../../ui/cx.ts';
import { Select } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import type { FormatChoice } from '../mapping.ts';

const DETECT = '';

/** The encoding or sheet and the header row of a file, with a preview of the first lines. */
export const FileFormat = ({
  beginning,
  choice,
  disabled,
  onChoice,
}: {
  readonly beginning: ImportBeginning;
  readonly choice: FormatChoice;
  readonly disabled: boolean;
  readonly onChoice: (choice: FormatChoice) => void;
}) => {
  const { encoding, encoding_source, header_row, preview, sheet, sheets } = beginning;
  const titles = preview.filter(({ line }) => line < (header_row ?? 0)).length;
  return (
    <fieldset disabled={disabled} className="flex min-w-0 flex-col gap-4">
      {encoding_source === 'guessed' && (
        <Notice tone="warn">
          {t(
            'The encoding of this file was guessed. If names look wrong in the preview, choose another encoding.',
          )}
        </Notice>
      )}
      {choice.header_row === undefined && titles > 0 && (
        <Notice>
          {plural(
            titles,
            '# line above the header in line {line} is skipped. If that is wrong, choose another header row.',
            '# lines above the header in line {line} are skipped. If that is wrong, choose another header row.',
            { line: String(header_row) },
          )}
        </Notice>
      )}
      <div className="grid gap-x-5 gap-y-4 sm:grid-cols-2">
        {sheet === null && (
          <Select
            label={t('Encoding')}
            value={choice.encoding ?? DETECT}
            options={[
              {
                value: DETECT,
                label: choice.encoding
                  ? t('Detect automatically')
                  : `${encodingLabels[encoding]} (${encodingSources[encoding_source]})`,
              },
              ...Object.entries(encodingLabels).map(([value, label]) => ({ value, label })),
            ]}
            onChange={({ target }) =>
              onChoice({ ...choice, encoding: (target.value || undefined) as FormatChoice['encoding'] })
            }
          />
        )}
        {sheet !== null && sheets.length > 1 && (
          <Select
            label={t('Sheet')}
            value={sheet}
            options={sheets.map((name) => ({ value: name, label: name }))}
            onChange={({ target }) => onChoice({ sheet: target.value })}
          />
        )}
        <Select
          label={t('Header row')}
          value={choice.header_row === undefined ? DETECT : String(choice.header_row)}
          options={[
            { value: DETECT, label: t('{row} (detected)', { row: rowText(header_row) }) },
            ...preview.map(({ line }) => ({ value: String(line), label: rowText(line) })),
            { value: '0', label: rowText(null) },
          ]}
          onChange={({ target }) =>
            onChoice({ ...choice, header_row: target.value === DETECT ? undefined : Number(target.value) })
          }
        />
      </div>
      <Preview beginning={beginning} />
    </fieldset>
  );
};

const rowText = (line: number | null) =>
  line === null ? t('No header row') : t('Line {line}', { line: String(line) });

const Preview = ({ beginning: { preview, header_row } }: { readonly beginning: ImportBeginning }) => (
  <section
    aria-label={t('Preview of the file')}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
    tabIndex={0}
    className="overflow-x-auto rounded-lg border border-line"
  >
    <table className="w-full text-[0.8125rem]">
      <caption className="sr-only">{t('The first lines of the file')}</caption>
      <tbody>
        {preview.map(({ line, cells }) => (
          <tr
            key={line}
            className={cx(
              'border-b border-line last:border-b-0',
              line === header_row && 'bg-accent-soft font-semibold text-accent-ink',
              line < (header_row ?? 0) && 'text-muted line-through',
            )}
          >
            <th scope="row" className="figure w-px px-3 py-1.5 text-end font-normal text-muted">
              {line}
            </th>
            {cells.map((cell, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a cell is identified by its position
              <td key={at} dir="auto" className="max-w-48 truncate px-3 py-1.5 whitespace-nowrap">
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
