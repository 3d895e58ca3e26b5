import type { ImportRow } from '../../../api/types.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { fieldLabel } from '../../../records/imports/labels.ts';

type Change = NonNullable<ImportRow['changes']>[number];

const Value = ({ change: { before, after, added, removed } }: { readonly change: Change }) => {
  const isTags = before === null && after === null;
  if (isTags)
    return (
      <>
        {added.map((tag) => (
          <ins key={tag} className="me-1.5 no-underline">
            <span aria-hidden>+ </span>
            <span className="sr-only">{t('added')} </span>
            <bdi>{tag}</bdi>
          </ins>
        ))}
        {removed.map((tag) => (
          <del key={tag} className="me-1.5 text-muted">
            <span className="sr-only">{t('removed')} </span>
            <bdi>{tag}</bdi>
          </del>
        ))}
      </>
    );
  return (
    <>
      {before === null || before === '' ? (
        <span className="text-muted">{t('empty')}</span>
      ) : (
        <del className="text-muted">
          <bdi>{before}</bdi>
        </del>
      )}
      <span aria-hidden> → </span>
      <span className="sr-only"> {t('becomes')} </span>
      <ins className="no-underline">
        <bdi>{after}</bdi>
      </ins>
    </>
  );
};

/** What a row changes in an existing contact: old → new of each field. */
export const Changes = ({ changes }: { readonly changes: readonly Change[] }) =>
  changes.length === 0 ? null : (
    <ul aria-label={t('Changes')} className="text-[0.8125rem]">
      {changes.map((change) => (
        <li key={change.field} className="line-clamp-2 wrap-anywhere">
          <span className="text-muted">{fieldLabel(change.field)}: </span>
          <Value change={change} />
        </li>
      ))}
    </ul>
  );
