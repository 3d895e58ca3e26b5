import { useQuery } from '@tanstack/react-query';
import { allRecordsQuery } from '../../api/all-records.ts';
import { TagField } from '../../app/tag-field.tsx';
import { t } from '../../lib/i18n.ts';
import { useAgents } from '../../records/agents/agent-options.tsx';
import { Select } from '../../ui/field.tsx';
import type { WebhookForm } from './form.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

/** The chosen record is an option even if it is not listed. */
const optionsOf = (records: readonly Named[] | undefined, chosen: string) => {
  const listed = records?.map(({ id, name }) => ({ value: id, label: name })) ?? [];
  const isListed = chosen === '' || listed.some(({ value }) => value === chosen);
  return isListed
    ? listed
    : [...listed, { value: chosen, label: records ? t('Unknown ({id})', { id: chosen }) : '…' }];
};

/** The filters of an endpoint. An event must match all of them. */
export const FilterFields = ({
  form,
  problems,
  onChange,
}: {
  readonly form: WebhookForm;
  readonly problems: Readonly<Record<string, string>>;
  readonly onChange: (change: Partial<WebhookForm>) => void;
}) => {
  const agents = useAgents();
  const campaigns = useQuery(allRecordsQuery('/campaigns'));
  return (
    <fieldset>
      <legend className="text-sm font-medium">{t('Filters')}</legend>
      <p className="mb-2 text-[0.8125rem] text-muted">
        {t('Optional. An event must match all of them. A tag selects only events of contacts.')}
      </p>
      <div className="grid gap-3 sm:grid-cols-3">
        <TagField
          label={t('Tag')}
          placeholder={t('Any tag')}
          value={form.tag}
          error={problems.tag}
          onChange={(tag) => onChange({ tag })}
        />
        <Select
          label={t('Agent')}
          placeholder={t('Any agent')}
          options={optionsOf(agents.data?.data, form.agent)}
          value={form.agent}
          error={problems.agent_id}
          onChange={({ target }) => onChange({ agent: target.value })}
        />
        <Select
          label={t('Campaign')}
          placeholder={t('Any campaign')}
          options={optionsOf(campaigns.data?.data, form.campaign)}
          value={form.campaign}
          error={problems.campaign_id}
          onChange={({ target }) => onChange({ campaign: target.value })}
        />
      </div>
    </fieldset>
  );
};
