import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../../api/query.ts';
import type { AgentVariable, Enrollment } from '../../../api/types.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { Input, Select } from '../../../ui/field.tsx';

/** The values of declared variables: those of an enrollment, or else their examples, until something else is typed. */
export const useValues = (contact: string, declared: readonly AgentVariable[]) => {
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [campaign, setCampaign] = useState('');
  const found =
    useQuery(apiQuery('/contacts/{id}/enrollments', { params: { id: contact } })).data?.data ?? [];
  const enrollments = found.filter(({ variables }) => Object.keys(variables).length > 0);
  const chosen = enrollments.find(({ campaign_id }) => campaign_id === campaign)?.variables;
  const values = Object.fromEntries(
    declared.map(({ name, example }) => [
      name,
      typed[name] ?? (chosen ? String(chosen[name] ?? '') : (example ?? '')),
    ]),
  );
  return {
    values,
    /** With those that the text does not use. */
    sent: { ...chosen, ...values },
    enrollments,
    campaign: chosen ? campaign : '',
    onCampaign: (id: string) => {
      setCampaign(id);
      setTyped({});
    },
    onType: (name: string, value: string) => setTyped((now) => ({ ...now, [name]: value })),
  };
};

/** Where the values come from, and a field for each. */
export const Values = ({
  declared,
  values,
  enrollments,
  campaign,
  onCampaign,
  onType,
}: {
  readonly declared: readonly AgentVariable[];
  readonly values: Readonly<Record<string, string>>;
  readonly enrollments: readonly Enrollment[];
  readonly campaign: string;
  readonly onCampaign: (id: string) => void;
  readonly onType: (name: string, value: string) => void;
}) =>
  (declared.length > 0 || enrollments.length > 0) && (
    <fieldset className="grid gap-3 sm:grid-cols-2">
      <legend className="mb-1.5 text-sm text-muted">{t('Values of a campaign or your runtime')}</legend>
      {enrollments.length > 0 && (
        <Select
          label={t('Values from')}
          className="sm:col-span-2"
          placeholder={t('Examples')}
          options={enrollments.map(({ campaign_id, campaign_name }) => ({
            value: campaign_id,
            label: t('Campaign {name}', { name: campaign_name }),
          }))}
          value={campaign}
          onChange={({ target }) => onCampaign(target.value)}
        />
      )}
      {declared.map(({ name, description }) => (
        <Input
          key={name}
          label={<code className="font-mono text-[0.8125rem]">{name}</code>}
          hint={description}
          autoComplete="off"
          value={values[name]}
          onChange={({ target }) => onType(name, target.value)}
        />
      ))}
    </fieldset>
  );
