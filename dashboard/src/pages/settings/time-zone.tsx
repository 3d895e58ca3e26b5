import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { apiQuery, invalidate } from '../../api/query.ts';
import { UnsavedGuard } from '../../app/unsaved-guard.tsx';
import { t } from '../../lib/i18n.ts';
import { zoneText } from '../../lib/time-zones.ts';
import { Button } from '../../ui/button.tsx';
import { Form } from '../../ui/form.tsx';
import { TimeZoneSelect } from '../../ui/time-zone-select.tsx';
import { toast } from '../../ui/toast.tsx';
import { DescriptionList } from './description-list.tsx';

/** The time zone of the workspace, which owners can change. */
export const TimeZone = ({ isOwner }: { readonly isOwner: boolean }) => {
  const zone = useQuery(apiQuery('/settings')).data?.data.time_zone;
  if (zone === undefined) return null;
  return isOwner ? (
    <ZoneForm key={zone} saved={zone} />
  ) : (
    <div className="mt-3">
      <DescriptionList items={[[t('Time zone'), zoneText(zone)]]} />
    </div>
  );
};

const ZoneForm = ({ saved }: { readonly saved: string }) => {
  const [zone, setZone] = useState(saved);
  const save = useMutation({
    mutationFn: () => call('PATCH', '/settings', { body: { time_zone: zone } }),
    onSuccess: ({ data }) => {
      toast.good(t('Time zone set to {zone}.', { zone: zoneText(data.time_zone) }));
      void invalidate('/settings', '/figures', '/calls', '/campaigns');
    },
  });
  return (
    <Form className="mt-5 flex max-w-md flex-col gap-4" onSubmit={() => save.mutate()}>
      <TimeZoneSelect
        label={t('Time zone')}
        hint={t('Days of charts and filters, and the schedules of campaigns, are in this time zone.')}
        value={zone}
        error={save.isError ? errorMessage(save.error) : undefined}
        onChange={setZone}
      />
      <div>
        <Button type="submit" variant="primary" disabled={zone === saved} busy={save.isPending}>
          {t('Save time zone')}
        </Button>
      </div>
      <UnsavedGuard when={zone !== saved} />
    </Form>
  );
};
