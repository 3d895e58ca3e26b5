import type { ContactVariable } from '../../api/placeholders.gen.ts';
import { t } from '../../lib/i18n.ts';

/** The variables of instructions in words. */
export const variableLabels: Record<ContactVariable, string> = {
  first_name: t('First name'),
  last_name: t('Last name'),
  display_name: t('Display name'),
  company: t('Company'),
  phone_number: t('Phone number'),
  email: t('Email'),
  notes: t('Notes'),
  tags: t('Tags'),
  source: t('Source'),
  first_contact_at: t('First contact'),
  last_contact_at: t('Last contact'),
  created_at: t('Created'),
  updated_at: t('Updated'),
  crm_ids: t('CRM IDs'),
  id: t('Contact ID'),
};

/** In the order in which they are offered. */
export const offeredVariables = Object.keys(variableLabels) as ContactVariable[];
