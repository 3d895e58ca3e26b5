import { dateRangeParam, daysOf } from '../../../lib/date-range.ts';
import { enumParam, listParam, type RawSearch, textParam, toList } from '../../../lib/search-params.ts';
import { type Condition, type FilterTree, parseFilter } from '../../../records/contacts/filter/tree.ts';
import { type ContactsSearch, shortFilters } from './url-params.ts';

const equals = (attribute: string, value: string): Condition => ({ attribute, op: 'eq', value });

const isSet = (attribute: string, raw: unknown): readonly Condition[] => {
  const answer = enumParam(['yes', 'no'], raw);
  return answer ? [{ attribute, op: 'is_set', value: answer === 'yes' }] : [];
};

const DAY_MS = 86_400_000;

/** A number of days until now, or days of the browser's time zone. */
const during = (attribute: string, raw: unknown): readonly Condition[] => {
  const value = dateRangeParam(raw);
  if (!value) return [];
  const range = daysOf(value);
  const startOf = (day: string, plus = 0) =>
    new Date(new Date(`${day}T00:00:00`).getTime() + plus).toISOString();
  if (!range)
    return [
      {
        attribute,
        op: 'within_last',
        value: `P${value === 'yesterday' ? 2 : Number.parseInt(value, 10) || 1}D`,
      },
    ];
  return [
    ...(range.from ? [{ attribute, op: 'gte', value: startOf(range.from) }] : []),
    ...(range.to ? [{ attribute, op: 'lt', value: startOf(range.to, DAY_MS) }] : []),
  ];
};

const tagged = (raw: RawSearch): readonly FilterTree[] => {
  const tags = toList(listParam(raw.tags));
  if (tags.length === 0) return [];
  if (raw.tags_match === 'all') return tags.map((tag) => equals('tag', tag));
  return [tags.length === 1 ? equals('tag', tags[0] as string) : { attribute: 'tag', op: 'in', value: tags }];
};

const treesOf = (raw: RawSearch): readonly FilterTree[] => [
  ...['tag', 'source', 'company', 'campaign', 'import'].flatMap((name) => {
    const value = textParam(raw[name]);
    return value ? [equals(name, value)] : [];
  }),
  ...tagged(raw),
  ...during('created_at', raw.created),
  ...during('last_activity_at', raw.activity),
  ...isSet('email', raw.email),
  ...isSet('name', raw.named),
  ...isSet('campaign', raw.enrolled),
  ...isSet('last_activity_at', raw.called),
];

/** Removes them from an address. */
export const withoutShortFilters: Readonly<Record<(typeof shortFilters)[number], undefined>> =
  Object.fromEntries(shortFilters.map((name) => [name, undefined])) as never;

/** The search of an address whose short filters have become part of its filter. A filter that cannot be read is ignored. */
export const withFilter = (search: ContactsSearch): ContactsSearch => {
  const short = treesOf({ ...search });
  const filter = parseFilter(search.filter);
  const all = short.length > 0 ? { all: [...short, ...(filter ? [filter] : [])] } : filter;
  return { ...search, ...withoutShortFilters, filter: all && JSON.stringify(all) };
};
