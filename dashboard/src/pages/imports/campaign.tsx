import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { allRecordsQuery } from '../../api/all-records.ts';
import { apiQuery } from '../../api/query.ts';
import { t } from '../../lib/i18n.ts';
import { campaignStatusWords } from '../../records/campaigns/labels.tsx';
import { Select } from '../../ui/field.tsx';

/** Selects the campaign in which the contacts of an import are enrolled. Finished campaigns accept no more contacts. */
export const CampaignSelect = ({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (campaign: string) => void;
}) => {
  const campaigns = useQuery(allRecordsQuery('/campaigns')).data?.data;
  const open = (campaigns ?? []).filter(({ id, status }) => status !== 'finished' || id === value);
  const options = open.map(({ id, name, status }) => ({
    value: id,
    label: `${name} (${campaignStatusWords[status]})`,
  }));
  if (value && !options.some((option) => option.value === value))
    options.push({ value, label: campaigns ? `${value} ${t('(deleted)')}` : value });
  return (
    <Select
      label={t('Enroll in campaign')}
      hint={
        value
          ? t('Every imported contact is enrolled once. Columns can be variables of the enrollments.')
          : undefined
      }
      placeholder={t('No campaign')}
      value={value}
      options={options}
      onChange={({ target }) => onChange(target.value)}
    />
  );
};

/** The name of a campaign, with a link to it; its id if it was deleted. */
export const CampaignName = ({ id }: { readonly id: string }) => {
  const campaigns = useQuery(allRecordsQuery('/campaigns')).data?.data;
  const found = campaigns?.find((each) => each.id === id);
  return found ? (
    <Link to="/campaigns/$id" params={{ id }} className="text-accent-ink underline">
      {found.name}
    </Link>
  ) : (
    id
  );
};

/** The names of a campaign's variables: those that its agent declares. */
export const useVariableNames = (campaign: string): readonly string[] => {
  const campaigns = useQuery({ ...allRecordsQuery('/campaigns'), enabled: campaign !== '' }).data?.data;
  const agent = campaigns?.find(({ id }) => id === campaign)?.agent.id ?? '';
  const declared = apiQuery('/agents/{id}/variables', { params: { id: agent } });
  const found = useQuery({ ...declared, enabled: agent !== '' }).data?.data.variables ?? [];
  return found.map(({ name }) => name);
};
