import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api/query.ts';
import type { Field } from '../../api/types.gen.ts';

/** The fields of the workspace, archived ones included. */
export const fieldsQuery = apiQuery('/fields');

const noFields: readonly Field[] = [];

/** The fields in use; undefined while they load. */
export const useFields = (): readonly Field[] | undefined =>
  useQuery({ ...fieldsQuery, select: activeFields }).data;

const labelsOf = ({ data }: { readonly data: readonly Field[] }): ReadonlyMap<string, string> =>
  new Map(data.map(({ key, label }) => [key, label]));
const noLabels: ReadonlyMap<string, string> = new Map();

/** The labels of all fields by key; none while they load. */
export const useFieldLabels = (): ReadonlyMap<string, string> =>
  useQuery({ ...fieldsQuery, select: labelsOf }).data ?? noLabels;

const activeFields = ({ data }: { readonly data: readonly Field[] }): readonly Field[] => {
  const active = data.filter(({ archived_at }) => archived_at === null);
  return active.length > 0 ? active : noFields;
};
