import { t } from '../../lib/i18n.ts';
import type { FieldType } from './values.ts';

/** In the order in which they are offered. */
export const fieldTypeLabels: Readonly<Record<FieldType, string>> = {
  text: t('Text'),
  number: t('Number'),
  boolean: t('Yes or no'),
  date: t('Date'),
  datetime: t('Date and time'),
  enum: t('Choice'),
  url: t('Link'),
};
