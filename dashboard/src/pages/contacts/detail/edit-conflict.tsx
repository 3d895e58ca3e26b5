import { t } from '../../../lib/i18n.ts';
import { type ProfileField, profileLabels } from '../../../records/contacts/labels.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { type Change, type Fields, fieldsOf, isSame, type LoadedContact } from './fields.ts';

export type Decision = 'theirs' | 'mine' | 'back';

export interface EditConflict {
  readonly seen: Change;
  readonly theirs: LoadedContact;
  readonly mine: Change;
  readonly decide: (decision: Decision) => void;
}

/** Someone else changed the contact during editing: shows both versions side by side and asks which one to use. */
export const EditConflictDialog = ({ seen, theirs, mine, decide }: EditConflict) => {
  const changed = fieldsOf(seen).filter((name) => !isSame(theirs.data[name], seen[name] ?? null));
  const shown = fieldsOf({ ...seen, ...mine }).filter((name) => name in mine || changed.includes(name));
  const own = fieldsOf(mine).map((name) => profileLabels[name].toLowerCase());
  return (
    <Dialog
      open
      onOpenChange={() => decide('back')}
      title={t('Someone else changed this contact')}
      description={t("They saved it after you started editing. Your changes aren't saved yet.")}
      width="medium"
      preventDismiss
      footer={
        <>
          <Button onClick={() => decide('back')}>{t('Keep editing')}</Button>
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
            name={name}
            theirs={theirs.data}
            mine={mine}
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
  name,
  theirs,
  mine,
  isTheirs,
}: {
  readonly name: ProfileField;
  readonly theirs: Fields;
  readonly mine: Change;
  readonly isTheirs: boolean;
}) => (
  <section aria-label={profileLabels[name]}>
    <h3 className="mb-1.5 text-sm font-medium">{profileLabels[name]}</h3>
    <div className="grid gap-2 sm:grid-cols-2">
      <Value title={isTheirs ? t('Theirs') : t('Current')} value={theirs[name]} />
      {name in mine ? (
        <Value title={t('Yours')} value={mine[name] ?? null} isOwn />
      ) : (
        <div className="rounded-lg border border-dashed border-line px-3 py-2 text-sm text-muted">
          {t("You didn't change this")}
        </div>
      )}
    </div>
  </section>
);

export const Value = ({
  title,
  value,
  isOwn,
}: {
  readonly title: string;
  readonly value: Fields[ProfileField];
  readonly isOwn?: boolean;
}) => {
  const text = typeof value === 'string' ? value : (value?.join(', ') ?? '');
  return (
    <div className={isOwn ? 'rounded-lg bg-accent-soft px-3 py-2' : 'rounded-lg bg-sunken px-3 py-2'}>
      <div className={isOwn ? 'text-xs font-medium text-accent-ink' : 'text-xs font-medium text-muted'}>
        {title}
      </div>
      <div dir="auto" className="max-h-48 overflow-y-auto text-sm wrap-anywhere whitespace-pre-wrap">
        {text || <span className="italic">{t('Empty')}</span>}
      </div>
    </div>
  );
};
