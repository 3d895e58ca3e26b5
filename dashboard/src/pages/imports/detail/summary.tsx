import type { ReactNode } from 'react';
import type { Import } from '../../../api/types.gen.ts';
import { countText, exactTime, numberText } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { countryName } from '../../../ui/country-select.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { ProgressBar } from '../../../ui/progress.tsx';
import { Time } from '../../../ui/time.tsx';
import { existingLabels, fieldLabels, formatText, invalidLabels, tagLabels, totalsText } from '../labels.ts';

/** The progress of a running import. The number of rows is unknown until the file was read. */
export const ImportProgress = ({ data }: { readonly data: Import }) => {
  const { state, progress, rows } = data;
  const isPlan = state === 'planning';
  return (
    <div className="card mb-5 flex flex-col gap-2 p-4 sm:p-5">
      {isPlan ? (
        <ProgressBar label="Processing rows" detail={`${numberText(rows)} so far`} max={rows} />
      ) : (
        <ProgressBar
          label={state === 'applying' ? 'Applying changes' : 'Undoing changes'}
          value={Math.min(progress, rows)}
          max={rows}
        />
      )}
      <p className="text-sm text-muted">
        {!isPlan && `${totalsText(data)}. `}This continues in the background. You can leave this page.
      </p>
    </div>
  );
};

/** The result of an import that is not running. */
export const Outcome = ({
  data,
  onShowSkipped,
}: {
  readonly data: Import;
  readonly onShowSkipped: () => void;
}) => {
  const { state, totals, applied_at, undo_until } = data;
  const skipped = totals.edited_since ?? 0;
  if (state === 'planned')
    return (totals.create ?? 0) + (totals.update ?? 0) === 0 ? (
      <Notice tone="warn">
        Nothing to apply: no row would create or update a contact. Change the columns or rules, or fix the
        file.
      </Notice>
    ) : null;
  if (state === 'applied')
    return (
      <Notice tone="good">
        Applied {applied_at && <Time at={applied_at} />}: {totalsText(data).toLowerCase()}.
        {undo_until !== null && ` You can undo it until ${exactTime(undo_until)}.`}
      </Notice>
    );
  if (state !== 'undone') return null;
  return skipped > 0 ? (
    <Notice
      tone="warn"
      action={
        <Button size="small" onClick={onShowSkipped}>
          Show rows
        </Button>
      }
    >
      Undone: {totalsText({ ...data, totals: { ...totals, edited_since: 0 } }).toLowerCase()}.{' '}
      {countText(skipped, 'contact')} {skipped === 1 ? 'was' : 'were'} changed or deleted by someone after the
      import, so the undo skipped {skipped === 1 ? 'it' : 'them'}.
    </Notice>
  ) : (
    <Notice tone="good">Undone: {totalsText(data).toLowerCase()}.</Notice>
  );
};

const Line = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-[0.8125rem] text-muted">{name}</dt>
    <dd className="text-sm wrap-anywhere">{children}</dd>
  </div>
);

/** The columns and rules of the preview. */
export const ImportSettings = ({ data: { columns, options, file } }: { readonly data: Import }) => {
  const used = columns.filter(({ field }) => field !== null);
  const out = columns.length - used.length;
  return (
    <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2 lg:grid-cols-4">
      <Line name="Columns">
        {used.map(({ name, field }) => `${name} → ${field && fieldLabels[field]}`).join(', ')}
        {out > 0 && <span className="text-muted">; {countText(out, 'column')} skipped</span>}
      </Line>
      <Line name="Default country for local numbers">
        {options.country ? countryName(options.country) : 'None'}
      </Line>
      <Line name="If the contact already exists">{existingLabels[options.on_existing]}</Line>
      {file && (
        <Line name="File">
          {formatText(file)}
          {file.sheet === null && `; encoding ${file.encoding_source}`}
        </Line>
      )}
      <Line name="If an optional cell is invalid">{invalidLabels[options.on_invalid]}</Line>
      <Line name="Tags and numbers">
        {options.on_existing === 'skip' ? 'Tags are kept' : tagLabels[options.tags]}
        {options.legacy && '; legacy migration'}
      </Line>
    </dl>
  );
};
