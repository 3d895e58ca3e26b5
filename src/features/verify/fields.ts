import { type Check, FindingCollector, readInBatches } from '../../db/check.ts';

interface ContactValues {
  readonly workspace_id: number;
  readonly seq: number;
  readonly fields: string;
}
interface FieldCount {
  readonly name: string;
  readonly count: number;
}

/** How many contacts have a value of each field, by workspace and key. */
const countValues = async (snapshot: Parameters<Check['find']>[0]): Promise<Map<string, number>> => {
  const counted = new Map<string, number>();
  const columns = 'select c.workspace_id, c.seq, c.fields from contacts as c';
  for await (const rows of readInBatches<ContactValues>(snapshot, columns))
    for (const { workspace_id, fields } of rows)
      for (const key of fields === '{}' ? [] : Object.keys(JSON.parse(fields))) {
        const name = `fields:${key} of workspace ${workspace_id}`;
        counted.set(name, (counted.get(name) ?? 0) + 1);
      }
  return counted;
};

/** The counters of fields, and the index of those that are indexed completely. */
export const fieldCheck: Check = {
  name: 'values of fields match their counters and their index',
  since: 38,
  find: async (snapshot) => {
    const found = new FindingCollector();
    const values = await countValues(snapshot);
    const counters = await snapshot.all<FieldCount>(
      `select list || ' of workspace ' || workspace_id as name, sum(count) as count from tallies
      where list like 'fields:%' group by 1`,
    );
    const stored = new Map(counters.map(({ name, count }) => [name, Number(count)]));
    for (const name of new Set([...values.keys(), ...stored.keys()]))
      if ((values.get(name) ?? 0) !== (stored.get(name) ?? 0))
        found.add(
          `${name} has ${values.get(name) ?? 0} contacts, but its counter says ${stored.get(name) ?? 0}`,
        );
    const indexed = await snapshot.all<FieldCount>(
      `select 'fields:' || f.key || ' of workspace ' || f.workspace_id as name, count(v.seq) as count from contact_fields as f
      left join contact_field_values as v on v.workspace_id = f.workspace_id and v.field = f.key
      where f.indexed = 1 group by 1`,
    );
    for (const { name, count } of indexed)
      if (Number(count) !== (values.get(name) ?? 0))
        found.add(`${name} has ${values.get(name) ?? 0} contacts, but its index has ${count}`);
    return found;
  },
};
