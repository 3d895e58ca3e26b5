import { t } from '../../../lib/i18n.ts';
import { Segmented } from '../../../ui/segmented.tsx';

const modes = {
  tag: t('By tag'),
  search: t('By search'),
  filter: t('By filter'),
  contacts: t('One by one'),
} as const;
export type AudienceMode = keyof typeof modes;

/** Selects how the contacts to enroll are specified. */
export const AudienceModeField = ({
  value,
  onChange,
}: {
  readonly value: AudienceMode;
  readonly onChange: (mode: AudienceMode) => void;
}) => <Segmented label={t('Who to enroll')} options={modes} value={value} onChange={onChange} />;
