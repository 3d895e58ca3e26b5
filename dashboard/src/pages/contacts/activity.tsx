import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useMemo } from 'react';
import { apiQuery } from '../../api/query.ts';
import type { ContactActivity } from '../../api/types.gen.ts';
import { t } from '../../lib/i18n.ts';
import { Time } from '../../ui/time.tsx';

type ActivityById = ReadonlyMap<string, ContactActivity>;

export const activityQuery = (ids: readonly string[]) =>
  apiQuery('/contacts/activity', { query: { ids: ids.join() } });

/** When contacts had their first and last call or message. The contact times of a record begin with its creation, so they do
 *  not say whether anyone was contacted. */
export const useActivity = (ids: readonly string[]): ActivityById => {
  const { data } = useQuery({
    ...activityQuery(ids),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  });
  return useMemo(() => new Map(data?.data.map((each) => [each.contact_id, each])), [data]);
};

const Activities = createContext<ActivityById>(new Map());

/** Loads the activity of a page of contacts for the `LastContact`s inside. */
export const ActivityProvider = ({
  contacts,
  children,
}: {
  readonly contacts: readonly { readonly id: string }[];
  readonly children: ReactNode;
}) => <Activities value={useActivity(contacts.map(({ id }) => id))}>{children}</Activities>;

/** The last call or message of a contact. */
export const LastContact = ({ id }: { readonly id: string }) => {
  const activity = use(Activities).get(id);
  if (!activity) return null;
  return activity.last_at ? <Time at={activity.last_at} /> : t('No activity yet');
};
