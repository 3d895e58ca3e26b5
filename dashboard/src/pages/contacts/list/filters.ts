import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { allRecordsQuery } from '../../../api/all-records.ts';
import { apiQuery } from '../../../api/query.ts';
import type { Filter, UseLabel, UseOptions } from '../../../app/filters/definition.ts';
import { dayText } from '../../../lib/format.ts';
import { numberText, t } from '../../../lib/i18n.ts';
import { sourceLabels } from '../labels.ts';
import { sources } from './url-params.ts';

const MAX_SUGGESTIONS = 20;

const useTags: UseOptions = (typed) => {
  const tags = useQuery({
    ...apiQuery('/tags', { query: { search: typed.trim() || undefined, limit: MAX_SUGGESTIONS } }),
    placeholderData: keepPreviousData,
  });
  return tags.data?.data.map(({ tag, count }) => ({ value: tag, label: tag, detail: numberText(count) }));
};

/** The address separates tags by commas, so a tag that contains one can be chosen only on its own. */
const useSeveralTags: UseOptions = (typed) => useTags(typed)?.filter(({ value }) => !value.includes(','));

const useCampaigns: UseOptions = (typed) => {
  const campaigns = useQuery({
    ...apiQuery('/campaigns', { query: { search: typed.trim() || undefined, limit: MAX_SUGGESTIONS } }),
    placeholderData: keepPreviousData,
  });
  return campaigns.data?.data.map(({ id, name }) => ({ value: id, label: name }));
};

const useCampaignLabel: UseLabel = (id) => {
  const campaign = useQuery(apiQuery('/campaigns/{id}', { params: { id } }));
  return campaign.data?.data.name ?? (campaign.isError ? id : undefined);
};

const useImports: UseOptions = (typed) => {
  const text = typed.trim().toLowerCase();
  const imports = useQuery(allRecordsQuery('/imports'));
  return imports.data?.data
    .filter(({ name }) => name.toLowerCase().includes(text))
    .map(({ id, name, created_at }) => ({ value: id, label: name, detail: dayText(created_at) }));
};

const useImportLabel: UseLabel = (id) => {
  const found = useQuery(apiQuery('/imports/{id}', { params: { id } }));
  return found.data?.data.name ?? (found.isError ? id : undefined);
};

export const filters: readonly Filter[] = [
  {
    kind: 'choice',
    name: 'source',
    label: t('Source'),
    options: sources.map((source) => ({ value: source, label: sourceLabels[source] })),
  },
  { kind: 'choices', name: 'tags', label: t('Tags'), useOptions: useSeveralTags, match: 'tags_match' },
  { kind: 'text', name: 'tag', label: t('Tag'), useOptions: useTags, isHidden: true },
  { kind: 'dates', name: 'activity', label: t('Last contact') },
  { kind: 'dates', name: 'created', label: t('Created') },
  { kind: 'text', name: 'company', label: t('Company') },
  {
    kind: 'search',
    name: 'campaign',
    label: t('Campaign'),
    useOptions: useCampaigns,
    useLabel: useCampaignLabel,
  },
  { kind: 'yesno', name: 'enrolled', label: t('Enrolled'), yes: t('In a campaign'), no: t('In no campaign') },
  { kind: 'yesno', name: 'called', label: t('Calls'), yes: t('Called or messaged'), no: t('Never called') },
  { kind: 'yesno', name: 'email', label: t('Email'), yes: t('Has an email'), no: t('No email') },
  { kind: 'yesno', name: 'named', label: t('Name'), yes: t('Has a name'), no: t('No name') },
  { kind: 'search', name: 'import', label: t('Import'), useOptions: useImports, useLabel: useImportLabel },
];
