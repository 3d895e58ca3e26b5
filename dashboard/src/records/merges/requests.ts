import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { invalidate } from '../../api/query.ts';
import type { Duplicate, Merge, MergePlan } from '../../api/types.gen.ts';
import { plural, t } from '../../lib/i18n.ts';
import { toast } from '../../ui/toast.tsx';

export interface MergeRequest {
  readonly survivor_id: string;
  readonly other_ids: readonly string[];
  /** The contact whose value a field gets, by the field's name. */
  readonly choices: Readonly<Record<string, string>>;
}

/** What a merge would do. A plan stays as the user has seen it: only a new request or a refused merge replaces it. */
export const planQuery = (request: MergeRequest) =>
  queryOptions({
    queryKey: ['merge plan', request],
    queryFn: async ({ signal }) =>
      (await call('POST', '/merges', { body: { ...request, dry_run: true }, signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });

export const refetchMerged = (): Promise<void> =>
  invalidate(
    '/contacts',
    '/duplicates',
    '/merges',
    '/identities',
    '/tags',
    '/calls',
    '/campaigns',
    '/figures',
  );

/** Merges contacts as planned. */
export const mergeAsPlanned = async (request: MergeRequest, { plan_token }: MergePlan): Promise<Merge> => {
  const { data } = await call('POST', '/merges', { body: { ...request, plan_token } });
  // With a token, the response is the merge.
  return data as unknown as Merge;
};

/** Undoes a merge, and says what it could not restore. */
export const undoMerge = async (id: string): Promise<Merge> => {
  const { data } = await call('POST', '/merges/{id}/undo', { params: { id } });
  void refetchMerged();
  const { kept, not_restored } = data;
  toast.good(
    [
      t('Merge undone.'),
      kept.length > 0 && t('What was changed since stays with the contact.'),
      not_restored.length > 0 &&
        plural(
          not_restored.length,
          '# number or enrollment could not be restored.',
          '# numbers or enrollments could not be restored.',
        ),
    ]
      .filter(Boolean)
      .join(' '),
  );
  return data;
};

/** Says that contacts are merged, and offers to undo it. */
export const offerUndo = ({ id, other_ids }: Merge, name: string): void =>
  toast.undo(
    plural(other_ids.length, '# contact merged into {name}.', '# contacts merged into {name}.', { name }),
    () => undoMerge(id),
  );

/** The oldest contact stays: ids are in the order in which contacts were created. */
export const oldestStays = ({ contacts }: Pick<Duplicate, 'contacts'>): MergeRequest => {
  const [survivor_id = '', ...other_ids] = contacts.map(({ id }) => id).sort();
  return { survivor_id, other_ids, choices: {} };
};

/** Whether nothing has to be decided: no field has two values, besides the numbers, which all stay, and the case of the email. */
export const isClear = ({ fields, warnings }: MergePlan): boolean =>
  warnings.length === 0 &&
  fields.every(
    ({ field, is_conflict, values }) =>
      !is_conflict ||
      field === 'phone_number' ||
      (field === 'email' && new Set(values.map(({ value }) => String(value).toLowerCase())).size === 1),
  );
