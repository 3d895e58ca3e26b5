import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { allRecordsQuery } from '../../../api/all-records.ts';
import { apiQuery } from '../../../api/query.ts';
import type { Filter, UseLabel, UseOptions } from '../../../app/filters/definition.ts';
import { contactName } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { statusLabels } from '../../../records/calls/labels.ts';
import { dispositionText, keyText, useDispositions } from '../../../records/calls/settings.ts';
import { useCallTags } from '../../../records/calls/tags.tsx';
import { statuses } from '../../../records/calls/url-params.ts';
import { channelTypeLabels } from '../../../records/channels/labels.tsx';
import { durationLabel, durationParam, durationRanges } from '../durations.ts';

const MAX_SUGGESTIONS = 8;
/** Outcomes are kept for a little longer. */
const OUTCOME_DAYS = 360;
const DAY_MS = 86_400_000;

const including = <T extends { readonly label: string }>(
  options: readonly T[] | undefined,
  typed: string,
): readonly T[] | undefined =>
  options?.filter(({ label }) => label.toLowerCase().includes(typed.trim().toLowerCase()));

const useContacts: UseOptions = (typed) => {
  const found = useQuery({
    ...apiQuery('/contacts', { query: { search: typed.trim(), limit: MAX_SUGGESTIONS } }),
    placeholderData: keepPreviousData,
  });
  return found.data?.data.map((contact) => ({
    value: contact.id,
    label: contactName(contact),
    detail: contact.phone_number,
  }));
};

const useContactLabel: UseLabel = (id) => {
  const contact = useQuery(apiQuery('/contacts/{id}', { params: { id } }));
  return contact.data ? contactName(contact.data.data) : contact.isError ? t('Unknown contact') : undefined;
};

const useAgents = () => useQuery(allRecordsQuery('/agents')).data?.data;

const useAgentOptions: UseOptions = (typed) =>
  including(
    useAgents()?.map(({ id, name }) => ({ value: id, label: name })),
    typed,
  );

const useAgentLabel: UseLabel = (id) => {
  const agents = useAgents();
  return agents && (agents.find((agent) => agent.id === id)?.name ?? t('Unknown agent'));
};

const useChannels = () => useQuery(allRecordsQuery('/channels')).data?.data;

const useChannelOptions: UseOptions = (typed) =>
  including(
    useChannels()?.map(({ id, name, kind }) => ({ value: id, label: name, detail: channelTypeLabels[kind] })),
    typed,
  );

const useChannelLabel: UseLabel = (id) => {
  const channels = useChannels();
  return channels && (channels.find((channel) => channel.id === id)?.name ?? t('Unknown channel'));
};

/** The versions that handled calls since the beginning of last year, most calls first. */
const useVersions = () => {
  const since = `${new Date().getFullYear() - 1}-01-01T00:00:00Z`;
  const versions = useQuery(apiQuery('/calls/statistics', { query: { started_since: since } })).data?.data
    .versions;
  return versions?.map(({ version_id, version_label, agent_name }) => ({
    value: version_id,
    label: `${agent_name} ${version_label}`,
  }));
};

const useVersionOptions: UseOptions = (typed) => including(useVersions(), typed);

const useVersionLabel: UseLabel = (id) => {
  const versions = useVersions();
  return versions && (versions.find(({ value }) => value === id)?.label ?? t('Unknown version'));
};

const useOutcomes = () => {
  const since = new Date(Date.now() - OUTCOME_DAYS * DAY_MS).toISOString().slice(0, 10);
  return useQuery(apiQuery('/outcomes', { query: { since } })).data?.data;
};

/** Those of the settings, and those that calls have. */
const useDispositionOptions: UseOptions = (typed) => {
  const dispositions = useDispositions();
  const used = Object.keys(useOutcomes()?.dispositions ?? {});
  const keys = dispositions && [...new Set([...dispositions.map(({ key }) => key), ...used])];
  return including(
    keys?.map((key) => ({ value: key, label: dispositionText(dispositions, key) })),
    typed,
  );
};

const useDispositionLabel: UseLabel = (key) => {
  const dispositions = useDispositions();
  return dispositions && dispositionText(dispositions, key);
};

const goalLabel = (value: string): string =>
  value.startsWith('-')
    ? t('{goal}: missed', { goal: keyText(value.slice(1)) })
    : t('{goal}: reached', { goal: keyText(value) });

const useGoalOptions: UseOptions = (typed) => {
  const outcomes = useOutcomes();
  const values = outcomes && Object.keys(outcomes.goals).flatMap((key) => [key, `-${key}`]);
  return including(
    values?.map((value) => ({ value, label: goalLabel(value) })),
    typed,
  );
};

const useTagOptions: UseOptions = (typed) =>
  including(
    useCallTags()?.map(({ tag }) => ({ value: tag, label: tag })),
    typed,
  );

export const filters: readonly Filter[] = [
  { kind: 'dates', name: 'date', label: t('Date') },
  {
    kind: 'choice',
    name: 'status',
    label: t('Status'),
    options: statuses.map((status) => ({ value: status, label: statusLabels[status].label })),
  },
  {
    kind: 'search',
    name: 'disposition',
    label: t('Disposition'),
    useOptions: useDispositionOptions,
    useLabel: useDispositionLabel,
  },
  {
    kind: 'search',
    name: 'goal',
    label: t('Goal'),
    useOptions: useGoalOptions,
    useLabel: goalLabel,
  },
  { kind: 'search', name: 'tag', label: t('Tag'), useOptions: useTagOptions },
  {
    kind: 'choice',
    name: 'type',
    label: t('Type'),
    options: [
      { value: 'call', label: t('Calls') },
      { value: 'message', label: t('Messages') },
    ],
  },
  {
    kind: 'choice',
    name: 'direction',
    label: t('Direction'),
    options: [
      { value: 'inbound', label: t('Inbound') },
      { value: 'outbound', label: t('Outbound') },
    ],
  },
  {
    kind: 'choice',
    name: 'duration',
    label: t('Duration'),
    options: durationRanges.map((range) => ({ value: durationParam(range), label: durationLabel(range) })),
  },
  { kind: 'text', name: 'number', label: t('Phone number') },
  {
    kind: 'search',
    name: 'contact',
    label: t('Contact'),
    useOptions: useContacts,
    useLabel: useContactLabel,
  },
  {
    kind: 'search',
    name: 'agent',
    label: t('Agent'),
    useOptions: useAgentOptions,
    useLabel: useAgentLabel,
  },
  {
    kind: 'search',
    name: 'version',
    label: t('Version'),
    useOptions: useVersionOptions,
    useLabel: useVersionLabel,
  },
  {
    kind: 'search',
    name: 'channel',
    label: t('Channel'),
    useOptions: useChannelOptions,
    useLabel: useChannelLabel,
  },
];
