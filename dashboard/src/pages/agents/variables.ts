import { type ContactVariable, contactVariables } from '../../api/placeholders.gen.ts';
import { t } from '../../lib/i18n.ts';
import { profileLabels } from '../../records/contacts/labels.ts';

const { phone_number, ...otherLabels } = profileLabels;

/** The variables of instructions in words. */
export const variableLabels: Record<ContactVariable, string> = {
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

/** In the order in which they are offered. */
export const offeredVariables = (Object.keys(variableLabels) as ContactVariable[]).filter((name) =>
  contactVariables.includes(name),
);
