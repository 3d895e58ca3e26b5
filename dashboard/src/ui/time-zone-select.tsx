import { locale } from '../lib/i18n.ts';
import { Select, type SelectProps } from './field.tsx';

const names = (): readonly string[] => ['UTC', ...Intl.supportedValuesOf('timeZone')];

/** `GMT+2`, for example. */
const offsetText = (zone: string): string => {
  const format = new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: 'shortOffset' });
  return format.formatToParts().find(({ type }) => type === 'timeZoneName')?.value ?? '';
};

let options: readonly { readonly value: string; readonly label: string }[] | undefined;

/** Formatting all zones takes 50 ms, so it happens once. */
const allOptions = () => {
  options ??= names().map((zone) => ({
    value: zone,
    label: zone === 'UTC' ? zone : `${zone.replaceAll('_', ' ')} (${offsetText(zone)})`,
  }));
  return options;
};

/** Selects an IANA time zone. */
export const TimeZoneSelect = ({
  value,
  onChange,
  ...select
}: Pick<SelectProps, 'label' | 'hint' | 'error' | 'required' | 'disabled'> & {
  readonly value: string;
  readonly onChange: (zone: string) => void;
}) => {
  const known = allOptions();
  const all = known.some((option) => option.value === value) ? known : [{ value, label: value }, ...known];
  return <Select {...select} value={value} options={all} onChange={({ target }) => onChange(target.value)} />;
};
