import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage, fieldErrors } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { apiQuery, invalidate } from '../../api/query.ts';
import type { Settings } from '../../api/types.gen.ts';
import { UnsavedGuard } from '../../app/unsaved-guard.tsx';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { CountrySelect, countryName } from '../../ui/country-select.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/page.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { DescriptionList } from './description-list.tsx';
import { TimeZone } from './time-zone.tsx';
import { WorkspaceName } from './workspace-name.tsx';

const Workspace = ({ isOwner }: { readonly isOwner: boolean }) => {
  const query = useQuery(apiQuery('/settings'));
  const settings = query.data?.data;
  return (
    <Section title={t('Workspace')} description={isOwner ? undefined : t('Only owners can change this.')}>
      {query.isError && !settings ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : !settings ? (
        <Skeleton className="h-32 w-full" />
      ) : (
        <>
          {isOwner ? (
            <WorkspaceName key={settings.name} saved={settings.name} />
          ) : (
            <DescriptionList
              items={[
                [t('Name'), settings.name],
                [
                  t('Default country'),
                  settings.default_country ? countryName(settings.default_country) : t('None'),
                ],
              ]}
            />
          )}
          {isOwner && <Country key={settings.default_country} settings={settings} />}
          <TimeZone isOwner={isOwner} />
        </>
      )}
    </Section>
  );
};

const Country = ({ settings }: { readonly settings: Settings }) => {
  const saved = settings.default_country ?? '';
  const [country, setCountry] = useState(saved);
  const save = useMutation({
    mutationFn: () => call('PATCH', '/settings', { body: { default_country: country || null } }),
    onSuccess: ({ data }) => {
      void invalidate('/settings');
      toast.good(
        data.default_country
          ? t('Default country set to {country}.', { country: countryName(data.default_country) })
          : t('Default country removed.'),
      );
    },
  });
  const problem = fieldErrors(save.error).default_country;
  return (
    <Form className="mt-5 flex max-w-md flex-col gap-4" onSubmit={() => save.mutate()}>
      <CountrySelect
        label={t('Default country')}
        hint={t(
          "Used for phone numbers without a country code, typed here or imported from a file. Existing contacts don't change.",
        )}
        none={t('None: numbers need a country code')}
        value={country}
        error={problem}
        onChange={setCountry}
      />
      {save.isError && !problem && <Notice tone="danger">{errorMessage(save.error)}</Notice>}
      <div>
        <Button type="submit" variant="primary" disabled={country === saved} busy={save.isPending}>
          {t('Save')}
        </Button>
      </div>
      <UnsavedGuard when={country !== saved} />
    </Form>
  );
};

export default Workspace;
