/* Browsers list some time zones by names that IANA has replaced. */

const renamed: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

/** The current name of a time zone. */
export const currentZone = (zone: string): string => renamed[zone] ?? zone;

/** The name of a time zone for people. */
export const zoneText = (zone: string): string => currentZone(zone).replaceAll('_', ' ');

/** The former names of a time zone, which people may still search for. */
export const formerNames = (zone: string): string =>
  Object.entries(renamed)
    .filter(([, current]) => current === zone)
    .map(([former]) => former)
    .join(' ');

/** All time zones by their current names, in alphabetical order. */
export const timeZones = (): readonly string[] => [
  'UTC',
  ...[...new Set(Intl.supportedValuesOf('timeZone').map(currentZone))]
    .filter((zone) => zone !== 'UTC')
    .sort(),
];
