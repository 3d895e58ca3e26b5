import { locale } from '../lib/i18n.ts';
import { currentZone, formerNames, timeZones, zoneText } from '../lib/time-zones.ts';
import type { Choice } from './choices-for.ts';
import { SearchSelect, type SearchSelectProps } from './search-select.tsx';

/** `GMT+2`, for example. */
const offsetText = (zone: string): string => {
  const format = new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: 'shortOffset' });
  return format.formatToParts().find(({ type }) => type === 'timeZoneName')?.value ?? '';
};

const choiceOf = (zone: string): Choice => ({
  value: zone,
  label: zoneText(zone),
  detail: zone === 'UTC' ? undefined : offsetText(zone),
  names: formerNames(zone),
});

let choices: readonly Choice[] | undefined;

/** Formatting all zones takes 50 ms, so it happens once. */
const useChoices = (): readonly Choice[] => {
  choices ??= timeZones().map(choiceOf);
  return choices;
};

/** Selects an IANA time zone. */
export const TimeZoneSelect = ({ value, ...select }: SearchSelectProps) => {
  const zone = currentZone(value);
  const { label, detail } = choiceOf(zone);
  return (
    <SearchSelect
      {...select}
      value={zone}
      shown={detail ? `${label} (${detail})` : label}
      useChoices={useChoices}
    />
  );
};
