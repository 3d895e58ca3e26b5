import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { type Change, editableOf, isSame, keyOfName, type LoadedContact, namesIn } from './fields.ts';
import { useShownFields, Value } from './shown-fields.tsx';

export type Decision = 'theirs' | 'mine' | 'back';

export interface EditConflict {
  readonly seen: Change;
  readonly theirs: LoadedContact;
  readonly mine: Change;
  readonly decide: (decision: Decision) => void;
}

/** Someone else changed the contact during editing: shows both versions side by side and asks which one to use. */
const EditConflictDialog = ({
  seen,
  theirs,
  mine,
  decide,
  onClose,
}: EditConflict & { readonly onClose: () => void }) => {
  const current = editableOf(theirs.data);
  const fields = useShownFields();
  const changed = namesIn(seen).filter((name) => !isSame(current[name], seen[name]));
  const shown = namesIn({ ...seen, ...mine }).filter((name) => name in mine || changed.includes(name));
  const own = namesIn(mine).map((name) =>
    keyOfName(name) === undefined ? fields.labelOf(name).toLowerCase() : fields.labelOf(name),
  );
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('Someone else changed this contact')}
      description={t("They saved it after you started editing. Your changes aren't saved yet.")}
      width="medium"
      preventDismiss
      footer={
        <>
          <Button onClick={onClose}>{t('Keep editing')}</Button>
          <Button onClick={() => decide('theirs')}>{t('Use theirs')}</Button>
          <Button variant="primary" onClick={() => decide('mine')}>
            {t('Save mine')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {shown.map((name) => (
          <FieldComparison
            key={name}
            label={fields.labelOf(name)}
            theirs={fields.textOf(name, current[name])}
            mine={name in mine ? fields.textOf(name, mine[name]) : undefined}
            isTheirs={changed.includes(name)}
          />
        ))}
        <p className="text-sm text-muted">
          {t('Saving yours overwrites only these fields: {fields}.', { fields: own.join(', ') })}
        </p>
      </div>
    </Dialog>
  );
};

const FieldComparison = ({
  label,
  theirs,
  mine,
  isTheirs,
}: {
  readonly label: string;
  readonly theirs: string;
  /** Undefined if the user did not change it. */
  readonly mine: string | undefined;
  readonly isTheirs: boolean;
}) => (
  <section aria-label={label}>
    <h3 className="mb-1.5 text-sm font-medium">{label}</h3>
    <div className="grid gap-2 sm:grid-cols-2">
      <Value title={isTheirs ? t('Theirs') : t('Current')} value={theirs} />
      {mine !== undefined ? (
        <Value title={t('Yours')} value={mine} isOwn />
      ) : (
        <div className="rounded-lg border border-dashed border-line px-3 py-2 text-sm text-muted">
          {t("You didn't change this")}
        </div>
      )}
    </div>
  </section>
);

export default EditConflictDialog;
