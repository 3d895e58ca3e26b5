import { t } from '../../lib/i18n.ts';

/** The fields that a user writes, in display order. */
export const profileLabels = {
  phone_number: t('Phone number'),
  first_name: t('First name'),
  last_name: t('Last name'),
  display_name: t('Display name'),
  email: t('Email'),
  company: t('Company'),
  tags: t('Tags'),
  notes: t('Notes'),
} as const;

export type ProfileField = keyof typeof profileLabels;
