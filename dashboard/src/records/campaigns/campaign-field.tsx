import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { allRecordsQuery } from '../../api/all-records.ts';
import type { Campaign } from '../../api/types.gen.ts';
import { t } from '../../lib/i18n.ts';
import { Select } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { campaignStatusWords } from './labels.tsx';

/** Selects a campaign to enroll contacts in. Finished campaigns are not listed, because they accept no more
 *  contacts. */
export const CampaignField = ({
  value,
  onChange,
}: {
  readonly value: Campaign | undefined;
  readonly onChange: (campaign: Campaign | undefined) => void;
}) => {
  const campaigns = useQuery(allRecordsQuery('/campaigns'));
  if (campaigns.isError)
    return <ErrorState error={campaigns.error} onRetry={() => void campaigns.refetch()} />;
  if (!campaigns.data) return <Skeleton className="h-16 w-full" />;
  const open = campaigns.data.data.filter(({ status }) => status !== 'finished');
  if (open.length === 0)
    return (
      <Notice
        action={
          <Link to="/campaigns" className="font-medium underline">
            {t('Go to campaigns')}
          </Link>
        }
      >
        {t('No unfinished campaigns. Create one first.')}
      </Notice>
    );
  return (
    <Select
      label={t('Campaign')}
      required
      placeholder={t('Choose a campaign')}
      value={value?.id ?? ''}
      hint={
        value
          ? t('Agent: {name}', { name: value.agent.name })
          : t("Contacts that are already enrolled don't change.")
      }
      onChange={({ target }) => onChange(open.find(({ id }) => id === target.value))}
      options={open.map(({ id, name, status }) => ({
        value: id,
        label: `${name} (${campaignStatusWords[status]})`,
      }))}
    />
  );
};
