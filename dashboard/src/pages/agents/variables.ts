import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type ContactVariable, contactVariables, type Names, namesWith } from '../../api/placeholders.gen.ts';
import { apiQuery } from '../../api/query.ts';
import type { AgentVariable } from '../../api/types.gen.ts';
import { t } from '../../lib/i18n.ts';
import { profileLabels } from '../../records/contacts/labels.ts';
import { useFields } from '../../records/fields/query.ts';

const { phone_number, ...otherLabels } = profileLabels;

/** The contact's own variables in words. */
const contactLabels: Record<ContactVariable, string> = {
  ...otherLabels,
  phone_number,
  source: t('Source'),
  first_contact_at: t('First contact'),
  last_contact_at: t('Last contact'),
  created_at: t('Created'),
  updated_at: t('Updated'),
  crm_ids: t('CRM IDs'),
  id: t('Contact ID'),
};

export interface Variable {
  readonly name: string;
  readonly label: string;
  readonly kind: 'contact' | 'field' | 'agent';
}

/** The variables that instructions can use. */
export interface Variables {
  /** In the order in which they are offered. */
  readonly offered: readonly Variable[];
  readonly names: Names;
  /** Those that the agent declares. */
  readonly declared: readonly AgentVariable[];
}

const contactOffers = (Object.keys(contactLabels) as ContactVariable[])
  .filter((name) => contactVariables.includes(name))
  .map((name): Variable => ({ name, label: contactLabels[name], kind: 'contact' }));

export const declaredQuery = (agent: string) => apiQuery('/agents/{id}/variables', { params: { id: agent } });

export const variablesFrom = (
  fields: readonly { readonly key: string; readonly label: string }[],
  declared: readonly AgentVariable[],
): Variables => {
  const fieldOffers = fields.map(({ key, label }): Variable => ({ name: key, label, kind: 'field' }));
  const taken = new Set([...contactOffers, ...fieldOffers].map(({ name }) => name));
  const agentOffers = declared
    .filter(({ name }) => !taken.has(name))
    .map(({ name, description }): Variable => ({ name, label: description || name, kind: 'agent' }));
  return {
    offered: [...contactOffers, ...fieldOffers, ...agentOffers],
    names: namesWith(
      fields.map(({ key }) => key),
      declared.map(({ name }) => name),
    ),
    declared,
  };
};

const noVariables: readonly AgentVariable[] = [];

/** The variables of an agent, or of one that is not created yet; undefined while they load. */
export const useVariables = (agent?: string): Variables | undefined => {
  const fields = useFields();
  const query = useQuery({ ...declaredQuery(agent ?? ''), enabled: agent !== undefined });
  const declared = agent === undefined ? noVariables : query.data?.data.variables;
  return useMemo(
    () => (fields && declared ? variablesFrom(fields, declared) : undefined),
    [fields, declared],
  );
};
