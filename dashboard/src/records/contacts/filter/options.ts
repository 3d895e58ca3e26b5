import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { allRecordsQuery } from '../../../api/all-records.ts';
import { apiQuery } from '../../../api/query.ts';
import type { Field } from '../../../api/types.gen.ts';
import type { UseOptions } from '../../../app/filters/definition.ts';
import { dayText } from '../../../lib/format.ts';
import { numberText } from '../../../lib/i18n.ts';
import { type Attribute, builtIns } from './attributes.ts';
import type { NameOf } from './sentence.ts';
import { conditionsIn, type FilterTree } from './tree.ts';

/* What the builder loads: the fields of the workspace, and the values and names that conditions can have. */

const MAX_SUGGESTIONS = 20;

const useTags: UseOptions = (typed) => {
  const tags = useQuery({
    ...apiQuery('/tags', { query: { search: typed.trim() || undefined, limit: MAX_SUGGESTIONS } }),
    placeholderData: keepPreviousData,
  });
  return tags.data?.data.map(({ tag, count }) => ({ value: tag, label: tag, detail: numberText(count) }));
};

const useCampaigns: UseOptions = (typed) => {
  const campaigns = useQuery({
    ...apiQuery('/campaigns', { query: { search: typed.trim() || undefined, limit: MAX_SUGGESTIONS } }),
    placeholderData: keepPreviousData,
  });
  return campaigns.data?.data.map(({ id, name }) => ({ value: id, label: name }));
};

const useImports: UseOptions = (typed) => {
  const text = typed.trim().toLowerCase();
  const imports = useQuery(allRecordsQuery('/imports'));
  return imports.data?.data
    .filter(({ name }) => name.toLowerCase().includes(text))
    .map(({ id, name, created_at }) => ({ value: id, label: name, detail: dayText(created_at) }));
};

/** How the values of an attribute are found; undefined if they are typed. */
export const useOptionsOf: Readonly<Record<string, UseOptions>> = {
  tag: useTags,
  campaign: useCampaigns,
  import: useImports,
};

const fieldAttribute = ({ key, label, type, options, filterable, archived_at }: Field): Attribute => ({
  name: `fields.${key}`,
  label,
  type: type === 'url' ? 'text' : type,
  options: options?.map((option) => ({ value: option, label: option })),
  isHidden: !filterable || archived_at !== null,
});

const noFields: readonly Field[] = [];

/** All attributes by name; undefined while the workspace's fields load. */
export const useAttributes = (): ReadonlyMap<string, Attribute> | undefined => {
  const fields = useQuery(apiQuery('/fields'));
  const list = fields.data?.data ?? (fields.isError ? noFields : undefined);
  return useMemo(
    () => list && new Map([...builtIns, ...list.map(fieldAttribute)].map((each) => [each.name, each])),
    [list],
  );
};

const idsIn = (tree: FilterTree | undefined, attribute: string): readonly string[] => [
  ...new Set(
    conditionsIn(tree)
      .filter((condition) => condition.attribute === attribute)
      .flatMap(({ value }) => [value ?? ''].flat().map(String)),
  ),
];

/** The names of the campaigns and imports in a filter. */
export const useRecordNames = (tree: FilterTree | undefined): NameOf => {
  const campaignIds = idsIn(tree, 'campaign');
  const importIds = idsIn(tree, 'import');
  const campaigns = useQueries({
    queries: campaignIds.map((id) => apiQuery('/campaigns/{id}', { params: { id } })),
  });
  const imports = useQueries({
    queries: importIds.map((id) => apiQuery('/imports/{id}', { params: { id } })),
  });
  const names = new Map<string, string | undefined>([
    ...campaignIds.map((id, at) => [id, campaigns[at]?.data?.data.name] as const),
    ...importIds.map((id, at) => [id, imports[at]?.data?.data.name] as const),
  ]);
  return (id) => names.get(id);
};
