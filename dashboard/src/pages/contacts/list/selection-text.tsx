import { plural, t } from '../../../lib/i18n.ts';
import { hasFilters, type Selection } from './selection.ts';

/** Says which contacts an action is about. */
export const SelectionText = ({ selection }: { readonly selection: Selection }) => (
  <p className="text-sm">{textOf(selection)}</p>
);

const textOf = (selection: Selection): string => {
  if (selection.kind === 'picked')
    return plural(selection.ids.size, 'The # selected contact.', 'The # selected contacts.');
  const { total, except } = selection;
  const all = hasFilters(selection.filter)
    ? plural(
        total,
        'The # contact that matches your filters.',
        'All # contacts that match your filters, including those on other pages.',
      )
    : plural(total, 'The # contact of the workspace.', 'All # contacts of the workspace.');
  return except.size === 0
    ? all
    : `${all} ${plural(except.size, 'Except # that you deselected.', 'Except # that you deselected.')}`;
};

/** Which contacts are selected, in a few words. */
export const selectionNote = (selection: Selection): string | undefined =>
  selection.kind === 'all' && selection.except.size > 0
    ? t('All {total} except {count}', { total: selection.total, count: selection.except.size })
    : undefined;
