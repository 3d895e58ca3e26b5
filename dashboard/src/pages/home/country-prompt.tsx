import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { errorMessage } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { apiQuery, invalidate } from '../../api/query.ts';
import { useCurrentUser } from '../../app/current-user.ts';
import { Button } from '../../ui/button.tsx';
import { CountrySelect, countryName } from '../../ui/country-select.tsx';
import { toast } from '../../ui/toast.tsx';

const DISMISSED = 'country-prompt-dismissed';

/** The region of the browser's language, as a default. */
const browserCountry = (): string => {
  try {
    return new Intl.Locale(navigator.language).region ?? '';
  } catch {
    return '';
  }
};

/** Asks an owner for the workspace's default country until one is set. After being dismissed, it returns in the
 *  next browser session. */
export const CountryPrompt = () => {
  const isOwner = useCurrentUser().role === 'owner';
  const settings = useQuery(apiQuery('/settings')).data?.data;
  const [isDismissed, setDismissed] = useState(() => sessionStorage.getItem(DISMISSED) !== null);
  if (!isOwner || isDismissed || settings?.default_country !== null) return null;
  const dismiss = () => {
    sessionStorage.setItem(DISMISSED, '1');
    setDismissed(true);
  };
  return <CountryForm onDismiss={dismiss} />;
};

const CountryForm = ({ onDismiss }: { readonly onDismiss: () => void }) => {
  const [country, setCountry] = useState(browserCountry);
  const save = useMutation({
    mutationFn: () => call('PATCH', '/settings', { body: { default_country: country } }),
    onSuccess: () => {
      void invalidate('/settings');
      toast.good(`Default country set to ${countryName(country)}.`);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (country) save.mutate();
  };
  return (
    <section aria-labelledby="country-prompt" className="card mb-5 p-4 sm:p-5">
      <h2 id="country-prompt" className="font-semibold">
        Which country are your contacts in?
      </h2>
      <p className="mt-0.5 mb-3 text-sm text-muted">
        Phone numbers without a country code are assumed to be in this country. You can change this in
        Settings.
      </p>
      <form className="flex flex-wrap items-end gap-2" onSubmit={submit} noValidate>
        <div className="min-w-0 flex-1 basis-56 sm:max-w-72">
          <CountrySelect
            label="Default country"
            none="Choose a country"
            value={country}
            error={save.isError ? errorMessage(save.error) : undefined}
            onChange={setCountry}
          />
        </div>
        <Button type="submit" variant="primary" disabled={!country} busy={save.isPending}>
          Save country
        </Button>
        <Button variant="quiet" onClick={onDismiss}>
          Not now
        </Button>
      </form>
    </section>
  );
};
