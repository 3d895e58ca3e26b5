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
