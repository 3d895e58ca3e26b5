import { namesWith } from '../../../api/placeholders.gen.ts';

/** A contact that a campaign cannot call, because the instructions use values that it does not have. */
export interface BlockedPerson {
  readonly contact_id: string;
  readonly contact_name: string | null;
  readonly contact_phone_number: string | null;
  /** The variables without a value. */
  readonly holes: readonly string[];
}

export interface BlockedGroup {
  readonly holes: readonly string[];
  readonly people: readonly BlockedPerson[];
}

/** The values that people lack: those that a contact can have, and those that only its enrollment can. `fields` are the keys of
 *  the workspace's fields. */
export const sourcesOf = (people: readonly BlockedPerson[], fields: readonly string[]) => {
  const ofContacts = namesWith(fields, []);
  const holes = new Set(people.flatMap((person) => person.holes));
  return {
    contact: [...holes].filter((hole) => ofContacts.has(hole)).sort(),
    enrollment: [...holes].filter((hole) => !ofContacts.has(hole)).sort(),
  };
};

/** People by the values that they lack, the largest group first. */
export const groupsOf = (people: readonly BlockedPerson[]): readonly BlockedGroup[] => {
  const groups = new Map<string, BlockedPerson[]>();
  for (const person of people) {
    const key = [...person.holes].sort().join();
    groups.set(key, [...(groups.get(key) ?? []), person]);
  }
  return [...groups.values()]
    .map((members) => ({ holes: [...(members[0]?.holes ?? [])].sort(), people: members }))
    .sort((one, other) => other.people.length - one.people.length);
};
