import { t } from '../../../lib/i18n.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy.tsx';
import { PhoneLink } from '../../../ui/phone.tsx';
import { isLegacy } from './fields.ts';

/** The phone number with actions to copy and change it. */
export const PhoneLine = ({ phone, onChange }: { readonly phone: string; readonly onChange: () => void }) => (
  <div className="min-w-0">
    <div className="text-[0.8125rem] text-muted">{t('Phone number')}</div>
    <div className="flex min-h-8 flex-wrap items-center gap-x-1 gap-y-1 text-sm">
      <PhoneLink number={phone} />
      {isLegacy(phone) && <Badge tone="warn">{t('Legacy')}</Badge>}
      <CopyButton text={phone} label={t('Copy phone number')} size="small" />
      <Button size="small" variant="quiet" onClick={onChange}>
        {t('Change')}
      </Button>
    </div>
  </div>
);
