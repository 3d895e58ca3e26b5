import { phoneZoneLines } from './phone-zones.data.ts';

/** Prefixes of so many zones that few hours of a day are daytime in all of them: area codes that are not listed, toll-free numbers and
 *  most mobile numbers. The outermost zones in which most of the people live count for them. */
const WIDE: Readonly<Record<string, string>> = {
  '1': 'America/Los_Angeles&America/New_York',
  '7': 'Asia/Novosibirsk&Europe/Moscow',
  '61': 'Australia/Perth&Australia/Sydney',
};

let byPrefix: ReadonlyMap<string, string> | undefined;

/** Parsed when the first number is looked up, because most processes never need it. */
const zonesByPrefix = (): ReadonlyMap<string, string> => {
  if (byPrefix) return byPrefix;
  const found = new Map<string, string>();
  for (const line of phoneZoneLines.trim().split('\n')) {
    const [zones = '', ...prefixes] = line.split(' ');
    for (const prefix of prefixes) found.set(prefix, zones);
  }
  for (const [prefix, zones] of Object.entries(WIDE)) found.set(prefix, zones);
  byPrefix = found;
  return found;
};

/** Longer than every prefix. */
const MAX_PREFIX = 9;

/** The names of the time zones in which a number in E.164 can be, joined by `&`; undefined if they are unknown. */
export const zonesOfPhone = (phone: string): string | undefined => {
  if (!phone.startsWith('+')) return undefined;
  const zones = zonesByPrefix();
  for (let length = Math.min(MAX_PREFIX, phone.length - 1); length > 0; length--) {
    const found = zones.get(phone.slice(1, length + 1));
    if (found !== undefined) return found;
  }
  return undefined;
};
