import type { BulkSelection, Contact } from '../../../api/types.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { filterBody } from './query.ts';
import type { ContactFilters as Filter } from './url-params.ts';

/** Contacts that were selected individually or by page. */
export interface Picked {
  readonly kind: 'picked';
  readonly ids: ReadonlySet<string>;
}

/** All contacts that match a filter, except the deselected ones. Contacts created after `newest` are not part of
 *  the selection. */
export interface AllThatMatch {
  readonly kind: 'all';
  readonly filter: Filter;
  readonly total: number;
  readonly newest: string;
  readonly except: ReadonlySet<string>;
}

export type Selection = Picked | AllThatMatch;

export const none: Picked = { kind: 'picked', ids: new Set() };

/** As the service takes it. Contacts that were created after the selection are left out, so that the count is exact. */
export const bulkSelectionOf = (chosen: Selection): BulkSelection =>
  chosen.kind === 'picked'
    ? { ids: [...chosen.ids] }
    : {
        filter: filterBody(chosen.filter),
        except: [...chosen.except],
        created_until: chosen.newest,
      };

export const hasFilters = (filter: Filter): boolean => Object.keys(filterBody(filter)).length > 0;

/** The limits of the service. */
const MAX_PICKED = 5_000;
const MAX_EXCEPTIONS = 1_000;

/** Why the service would refuse a selection. */
export const limitOf = (chosen: Selection): string | undefined => {
  if (chosen.kind === 'picked')
    return chosen.ids.size > MAX_PICKED
      ? t('You can pick at most {max} contacts. Use a filter and select all matching contacts.', {
          max: MAX_PICKED,
        })
      : undefined;
  return chosen.except.size > MAX_EXCEPTIONS
    ? t('You can deselect at most {max} contacts. Use a filter instead.', { max: MAX_EXCEPTIONS })
    : undefined;
};

export const countOf = (chosen: Selection): number =>
  chosen.kind === 'all' ? chosen.total - chosen.except.size : chosen.ids.size;

/** The selected ids among the contacts of a page. */
export const selectedOn = (page: readonly Contact[], chosen: Selection): ReadonlySet<string> =>
  chosen.kind === 'picked'
    ? chosen.ids
    : new Set(
        page
          .filter(({ id, created_at }) => created_at <= chosen.newest && !chosen.except.has(id))
          .map(({ id }) => id),
      );

/** The selection after the checkboxes of a page changed. */
export const reselect = (
  page: readonly Contact[],
  chosen: Selection,
  selectedIds: ReadonlySet<string>,
): Selection => {
  if (chosen.kind === 'picked') return { kind: 'picked', ids: selectedIds };
  const except = new Set(chosen.except);
  for (const { id, created_at } of page) {
    if (selectedIds.has(id)) except.delete(id);
    else if (created_at <= chosen.newest) except.add(id);
  }
  return except.size < chosen.total ? { ...chosen, except } : none;
};
