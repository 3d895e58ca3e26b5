import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../../api/client.ts';
import { apiQuery } from '../../api/query.ts';
import type { PhoneConflict } from '../../api/types.gen.ts';

const STALE_MS = 60_000;

/** The number of contacts with conflicting numbers. Only imports create them, so it is refetched rarely. */
export const conflictCountQuery = {
  ...apiQuery('/contacts/conflicts', { query: { limit: 1 } }),
  staleTime: STALE_MS,
};

const PAGE = 100;
const MAX_PAGES = 10;

const findConflict = async (id: string, signal: AbortSignal): Promise<PhoneConflict | null> => {
  for (let page = 0; page < MAX_PAGES; page++) {
    const { data, pagination } = await call('GET', '/contacts/conflicts', {
      query: { limit: PAGE, offset: page * PAGE },
      signal,
    });
    const found = data.find(({ contact }) => contact.id === id);
    if (found) return found;
    if (!pagination.has_more) break;
  }
  return null;
};

/** The phone number conflict of a contact, if it is among the newest 1,000. */
export const usePhoneConflict = (id: string): PhoneConflict | undefined => {
  const count = useQuery(conflictCountQuery).data?.pagination.total ?? 0;
  const conflict = useQuery({
    queryKey: ['/contacts/conflicts', 'of', id],
    queryFn: ({ signal }) => findConflict(id, signal),
    enabled: count > 0,
  });
  return (count > 0 && conflict.data) || undefined;
};

/** The international form of a displayed number, assuming the country of the other number. Undefined while loading,
 *  `null` if it cannot be converted. */
export const useInternationalNumber = (displayed: string, near: string | null): string | null | undefined => {
  const [number, setNumber] = useState<string | null>();
  useEffect(() => {
    let isCurrent = true;
    const read = async () => {
      const { parsePhoneNumberFromString } = await import('libphonenumber-js/min');
      const place = near ? parsePhoneNumberFromString(near) : undefined;
      const parsed = parsePhoneNumberFromString(displayed, {
        extract: false,
        ...(place?.country
          ? { defaultCountry: place.country }
          : place && { defaultCallingCode: place.countryCallingCode }),
      });
      if (isCurrent) setNumber(parsed?.isPossible() ? parsed.number : null);
    };
    read().catch(() => isCurrent && setNumber(null));
    return () => {
      isCurrent = false;
    };
  }, [displayed, near]);
  return number;
};
