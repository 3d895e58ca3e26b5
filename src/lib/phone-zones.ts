import { phoneZoneLines } from './phone-zones.data.ts';
import { countriesOf } from './trunk-prefix.ts';

/** Prefixes of so many zones that few hours of a day are daytime in all of them: area codes that are not listed, toll-free numbers and
 *  most mobile numbers. The outermost zones in which most of the people live count for them. */
const WIDE: Readonly<Record<string, string>> = {
  '1': 'America/Los_Angeles&America/New_York',
  '7': 'Asia/Novosibirsk&Europe/Moscow',
  '61': 'Australia/Perth&Australia/Sydney',
};

let byPrefix: Map<string, string> | undefined;

/** Parsed when the first number is looked up, because most processes never need it. */
const zonesByPrefix = (): Map<string, string> => {
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

/** The zones that Intl has for the countries with a calling code, joined by `&`; undefined if there are none. */
export const zonesOfCallingCode = (code: string): string | undefined => {
  const zones = countriesOf(code)?.flatMap(
    (country) => new Intl.Locale('und', { region: country }).getTimeZones() ?? [],
  );
  return zones?.length ? [...new Set(zones)].sort().join('&') : undefined;
};

/** Longer than every prefix. */
const MAX_PREFIX = 9;

/** The names of the time zones in which a number in E.164 can be, joined by `&`; undefined if they are unknown. */
export const zonesOfPhone = (phone: string): string | undefined => {
  if (!phone.startsWith('+')) return undefined;
  const zones = zonesByPrefix();
  for (let length = Math.min(MAX_PREFIX, phone.length - 1); length > 0; length--) {
    const prefix = phone.slice(1, length + 1);
    const found = zones.get(prefix) ?? (length <= 3 ? zonesOfCallingCode(prefix) : undefined);
    if (found === undefined) continue;
    // Intl takes milliseconds.
    zones.set(prefix, found);
    return found;
  }
  return undefined;
};
