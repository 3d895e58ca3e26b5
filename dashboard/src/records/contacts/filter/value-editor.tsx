import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { localDay, startOfDay } from '../../../api/time-zone.gen.ts';
import { Choices, fixed, none } from '../../../app/filters/choices.tsx';
import { browserTimeZone, useTimeZone } from '../../../app/time-zone.ts';
import { t } from '../../../lib/i18n.ts';
import { CountrySelect } from '../../../ui/country-select.tsx';
import { cx } from '../../../ui/cx.ts';
import { Input, Select } from '../../../ui/field.tsx';
import { Popover } from '../../../ui/popover.tsx';
import { type Attribute, isList, isPeriod } from './attributes.ts';
import { useOptionsOf, useRecordNames } from './options.ts';
import { parsePeriod, periodText, type Unit, units } from './sentence.ts';
import type { Condition } from './tree.ts';

type Value = Condition['value'];

interface Props {
  readonly attribute: Attribute;
  readonly op: string;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

const unitLabels: Readonly<Record<Unit, string>> = {
  D: t('days'),
  W: t('weeks'),
  M: t('months'),
  H: t('hours'),
};

/** A number of days, weeks, months or hours; a day has no hours. */
const PeriodEditor = ({ attribute, value, onChange }: Props) => {
  const { count, unit } = parsePeriod(value) ?? { count: 0, unit: 'D' as const };
  const offered = units.filter((each) => each !== 'H' || attribute.type === 'datetime');
  const set = (next: { count?: number; unit?: Unit }) => onChange(periodText({ count, unit, ...next }));
  return (
    <div className="flex gap-2">
      <Input
        label={t('Number')}
        hideLabel
        type="number"
        min={1}
        max={9_999}
        className="w-20 shrink-0"
        value={count || ''}
        onChange={({ target }) =>
          target.value === '' ? onChange(undefined) : set({ count: Math.trunc(Number(target.value)) })
        }
      />
      <Select
        label={t('Unit')}
        hideLabel
        className="flex-1"
        options={offered.map((each) => ({ value: each, label: unitLabels[each] }))}
        value={unit}
        onChange={({ target }) => set({ unit: target.value as Unit })}
      />
    </div>
  );
};

/** One or several of known values, found by typing. */
const ChoiceEditor = ({ attribute, op, value, onChange }: Props) => {
  const [open, setOpen] = useState(false);
  const { name, label, options, type } = attribute;
  const isMultiple = isList(op);
  const chosen = value === undefined || value === '' ? [] : [value].flat().map(String);
  const nameOf = useRecordNames({ attribute: name, op, value: chosen });
  const labelOf = (each: string) =>
    options?.find((option) => option.value === each)?.label ??
    (type === 'record' ? (nameOf(each) ?? '…') : each);
  const toggle = (each: string) => {
    if (isMultiple)
      return onChange(chosen.includes(each) ? chosen.filter((other) => other !== each) : [...chosen, each]);
    onChange(each);
    setOpen(false);
  };
  return (
    <Popover
      label={label}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <button
          type="button"
          aria-label={t('Value: {value}', { value: chosen.map(labelOf).join(', ') || t('none') })}
          className="control flex items-center gap-2 text-start"
        >
          <span dir="auto" className={cx('min-w-0 flex-1 truncate', chosen.length === 0 && 'text-muted')}>
            {chosen.map(labelOf).join(', ') || t('Choose…')}
          </span>
          <ChevronDown className="size-4 shrink-0 text-muted" aria-hidden />
        </button>
      }
    >
      <Choices
        label={label}
        useOptions={options ? fixed(options) : (useOptionsOf[name] ?? none)}
        chosen={chosen}
        isMultiple={isMultiple}
        allowsText={type === 'text'}
        onChoose={toggle}
      />
    </Popover>
  );
};

/** The first moment of a day of the workspace. */
const TimeEditor = ({ value, onChange }: Props) => {
  const zone = useTimeZone() ?? browserTimeZone();
  const at = Date.parse(String(value ?? ''));
  return (
    <Input
      label={t('Value')}
      hideLabel
      type="date"
      value={Number.isNaN(at) ? '' : localDay(zone, at)}
      onChange={({ target }) =>
        onChange(target.value && new Date(startOfDay(zone, target.value)).toISOString())
      }
    />
  );
};

const inputTypes: Readonly<Record<string, string>> = { number: 'number', date: 'date' };

/** The value of a condition, as its attribute and operator need it. */
export const ValueEditor = (props: Props) => {
  const { attribute, op, value, onChange } = props;
  const { type } = attribute;
  if (isPeriod(op)) return <PeriodEditor {...props} />;
  if (isList(op) || type === 'known' || type === 'record') return <ChoiceEditor {...props} />;
  if (type === 'datetime') return <TimeEditor {...props} />;
  if (type === 'country')
    return (
      <CountrySelect
        label={t('Value')}
        hideLabel
        none={t('Choose…')}
        isByCallingCode
        value={String(value ?? '')}
        onChange={onChange}
      />
    );
  const text = value === undefined ? '' : String(value);
  if (type === 'boolean' || type === 'enum') {
    const options =
      type === 'enum'
        ? (attribute.options ?? [])
        : [
            { value: 'true', label: t('yes') },
            { value: 'false', label: t('no') },
          ];
    return (
      <Select
        label={t('Value')}
        hideLabel
        placeholder={t('Choose…')}
        options={options}
        value={text}
        onChange={({ target }) =>
          onChange(type === 'enum' || target.value === '' ? target.value : target.value === 'true')
        }
      />
    );
  }
  return (
    <Input
      label={t('Value')}
      hideLabel
      type={inputTypes[type] ?? 'text'}
      step={type === 'number' ? 'any' : undefined}
      maxLength={type === 'text' ? 2_000 : undefined}
      autoComplete="off"
      value={text}
      onChange={({ target }) =>
        onChange(type === 'number' && target.value !== '' ? Number(target.value) : target.value)
      }
    />
  );
};
