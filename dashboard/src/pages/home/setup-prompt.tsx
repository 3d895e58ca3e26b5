import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { errorMessage, fieldErrors } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { apiQuery, invalidate } from '../../api/query.ts';
import { useCurrentUser } from '../../app/current-user.ts';
import { browserTimeZone } from '../../app/time-zone.ts';
import { guessCountry } from '../../lib/country-guess.ts';
import { t } from '../../lib/i18n.ts';
import { zoneText } from '../../lib/time-zones.ts';
import { Button } from '../../ui/button.tsx';
import { CountrySelect, countryName } from '../../ui/country-select.tsx';
import { Form } from '../../ui/form.tsx';
import { TimeZoneSelect } from '../../ui/time-zone-select.tsx';
import { toast } from '../../ui/toast.tsx';

const DISMISSED = 'country-prompt-dismissed';

/** Asks an owner for the workspace's default country and time zone until both are set. After being dismissed, it returns in
 *  the next browser session. */
export const SetupPrompt = () => {
  const isOwner = useCurrentUser().role === 'owner';
  const settings = useQuery(apiQuery('/settings')).data?.data;
  const [isDismissed, setDismissed] = useState(() => sessionStorage.getItem(DISMISSED) !== null);
  if (!isOwner || isDismissed || !settings) return null;
  const asksCountry = settings.default_country === null;
  if (!asksCountry && settings.time_zone_chosen) return null;
  const dismiss = () => {
    sessionStorage.setItem(DISMISSED, '1');
    setDismissed(true);
  };
  return <SetupForm asksCountry={asksCountry} asksZone={!settings.time_zone_chosen} onDismiss={dismiss} />;
};

const SetupForm = ({
  asksCountry,
  asksZone,
  onDismiss,
}: {
  readonly asksCountry: boolean;
  readonly asksZone: boolean;
  readonly onDismiss: () => void;
}) => {
  const [country, setCountry] = useState('');
  useEffect(() => {
    // A choice that was made meanwhile stays.
    void guessCountry(browserTimeZone(), navigator.languages).then((guess) =>
      setCountry((chosen) => chosen || guess),
    );
  }, []);
  const [zone, setZone] = useState(browserTimeZone);
  const save = useMutation({
    mutationFn: async () => {
      const body = { ...(asksZone && { time_zone: zone }), ...(asksCountry && { default_country: country }) };
      await call('PATCH', '/settings', { body });
    },
    onSuccess: () => {
      toast.good(
        asksCountry
          ? t('Default country set to {country}.', { country: countryName(country) })
          : t('Time zone set to {zone}.', { zone: zoneText(zone) }),
      );
      void invalidate('/settings', '/figures', '/calls/statistics');
    },
  });
  const problems = fieldErrors(save.error);
  const other = save.isError && !problems.time_zone ? errorMessage(save.error) : undefined;
  return (
    <section aria-labelledby="setup-prompt" className="card mb-5 p-4 sm:p-5">
      <h2 id="setup-prompt" className="font-semibold">
        {asksCountry ? t('Which country are your contacts in?') : t('Which time zone do you work in?')}
      </h2>
      <p className="mt-0.5 mb-3 text-sm text-muted">
        {asksCountry && t('Phone numbers without a country code are assumed to be in this country.')}{' '}
        {asksZone && t('Days and schedules follow the time zone.')} {t('You can change this in Settings.')}
      </p>
      <Form
        className="flex flex-wrap items-end gap-2"
        onSubmit={() => (country || !asksCountry) && save.mutate()}
      >
        {asksCountry && (
          <div className="min-w-0 flex-1 basis-56 sm:max-w-72">
            <CountrySelect
              label={t('Default country')}
              none={t('Choose a country')}
              value={country}
              error={other}
              onChange={setCountry}
            />
          </div>
        )}
        {asksZone && (
          <div className="min-w-0 flex-1 basis-56 sm:max-w-72">
            <TimeZoneSelect
              label={t('Time zone')}
              value={zone}
              error={problems.time_zone ?? (asksCountry ? undefined : other)}
              onChange={setZone}
            />
          </div>
        )}
        <Button type="submit" variant="primary" disabled={asksCountry && !country} busy={save.isPending}>
          {asksCountry && !asksZone ? t('Save country') : t('Save')}
        </Button>
        <Button variant="quiet" onClick={onDismiss}>
          {t('Not now')}
        </Button>
      </Form>
    </section>
  );
};
