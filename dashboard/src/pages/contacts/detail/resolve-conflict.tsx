import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { apiQuery } from '../../../api/query.ts';
import type { PhoneConflict } from '../../../api/types.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Phone } from '../../../ui/phone.tsx';
import { PhoneField } from '../../../ui/phone-field.tsx';
import { rich } from '../../../ui/rich.tsx';
import { useInternationalNumber } from '../phone-conflicts.ts';
import { ResolveConflictConfirm } from './resolve-conflict-confirm.tsx';
import { type Choice, ResolveConflictOption } from './resolve-conflict-option.tsx';
import type { Save } from './save.tsx';

/** Resolves the conflict of a legacy contact that shows one number but is matched by another. */
const ResolveConflict = ({ conflict, save }: { readonly conflict: PhoneConflict; readonly save: Save }) => {
  const { contact, normalized_phone: normalized, repair } = conflict;
  const displayed = contact.phone_number;
  const international = useInternationalNumber(displayed, normalized);
  const country = useQuery(apiQuery('/settings')).data?.data.default_country;
  const [choice, setChoice] = useState<Choice>('normalized');
  const [other, setOther] = useState('');
  const [isConfirming, setConfirming] = useState(false);
  const proposed = typeof repair.phone_number === 'string' ? repair.phone_number : normalized;
  const number = { normalized: proposed, displayed: international, other }[choice];
  const option = { choice, onChoose: setChoice };
  return (
    <section
      aria-labelledby="repair"
      className="mb-5 rounded-xl border border-warn-ink/30 bg-surface p-4 shadow-lift sm:p-5"
    >
      <h2 id="repair" className="flex items-center gap-2 font-semibold">
        <TriangleAlert className="size-4.5 shrink-0 text-warn-ink" aria-hidden />
        {t('Conflicting phone numbers')}
      </h2>
      <p className="mb-4 text-sm text-muted">
        {t(
          'This legacy contact displays one number, but its calls are matched by a different one. Choose the right one to replace both.',
        )}
      </p>
      <fieldset className="grid gap-3 sm:grid-cols-2">
        <legend className="sr-only">{t('Correct number')}</legend>
        <ResolveConflictOption
          {...option}
          value="normalized"
          title={t('Normalized')}
          number={normalized ?? t('None')}
          disabled={!proposed}
          badge={<Badge tone="info">{t('Recommended')}</Badge>}
        >
          {t('Calls and messages are currently matched by this number.')}
        </ResolveConflictOption>
        <ResolveConflictOption
          {...option}
          value="displayed"
          title={t('Displayed')}
          number={displayed}
          disabled={!international}
        >
          {international
            ? rich('Currently shown. It would be saved as {number}.', {
                number: <Phone number={international} className="font-medium" />,
              })
            : t("Currently shown. It can't be converted to an international number.")}
        </ResolveConflictOption>
        <div className="sm:col-span-2">
          <ResolveConflictOption {...option} value="other" title={t('Another number')}>
            {t('Neither number is correct.')}
          </ResolveConflictOption>
        </div>
      </fieldset>
      {choice === 'other' && (
        <div className="mt-3 sm:max-w-sm">
          <PhoneField
            label={t('New phone number')}
            autoFocus
            country={country}
            value={other}
            onChange={setOther}
          />
        </div>
      )}
      <Button variant="primary" className="mt-4" disabled={!number} onClick={() => setConfirming(true)}>
        {t('Use this number')}
      </Button>
      {isConfirming && number && (
        <ResolveConflictConfirm
          conflict={conflict}
          number={number}
          save={save}
          onClose={() => setConfirming(false)}
        />
      )}
    </section>
  );
};

export default ResolveConflict;
