/* The filter of contacts as the service takes it, and as the builder edits it. */

export type Value = string | number | boolean;

export interface Condition {
  readonly attribute: string;
  readonly op: string;
  readonly value?: Value | readonly Value[];
}

export type FilterTree =
  | { readonly all: readonly FilterTree[] }
  | { readonly any: readonly FilterTree[] }
  | { readonly not: FilterTree }
  | Condition;

/** The limits of the service. */
export const MAX_CONDITIONS = 50;
export const MAX_DEPTH = 5;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isValue = (value: unknown): value is Value => ['string', 'number', 'boolean'].includes(typeof value);

/** Whether a value from elsewhere, such as an address, has the form of a filter. */
const isFilterTree = (value: unknown, depth = 0): value is FilterTree => {
  if (!isObject(value) || depth > MAX_DEPTH + 1) return false;
  const { all, any, not, attribute, op, value: operand } = value;
  const members = all ?? any;
  if (Array.isArray(members)) return members.every((member) => isFilterTree(member, depth + 1));
  if (not !== undefined) return isFilterTree(not, depth + 1);
  const isOperand =
    operand === undefined || isValue(operand) || (Array.isArray(operand) && operand.every(isValue));
  return typeof attribute === 'string' && typeof op === 'string' && isOperand;
};

/** The filter in a text of an address; undefined if there is none. */
export const parseFilter = (text: string | undefined): FilterTree | undefined => {
  if (!text) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isFilterTree(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

export const membersOf = (tree: FilterTree): readonly FilterTree[] | undefined =>
  'all' in tree ? tree.all : 'any' in tree ? tree.any : 'not' in tree ? [tree.not] : undefined;

export const conditionsIn = (tree: FilterTree | undefined): readonly Condition[] =>
  tree === undefined ? [] : (membersOf(tree)?.flatMap(conditionsIn) ?? [tree as Condition]);

/** The levels of groups; a negation is one. */
const depthOf = (tree: FilterTree): number => {
  const members = membersOf(tree);
  return members ? 1 + Math.max(0, ...members.map(depthOf)) : 0;
};

/** Whether the service accepts a filter of this size. */
export const isWithinLimits = (tree: FilterTree): boolean =>
  conditionsIn(tree).length <= MAX_CONDITIONS && depthOf(tree) <= MAX_DEPTH;

/** How the members of a group are combined in the builder. */
export const joins = ['all', 'any', 'none', 'not_all'] as const;
export type Join = (typeof joins)[number];

export interface GroupDraft {
  readonly id: number;
  readonly join: Join;
  readonly members: readonly Draft[];
}

/** A row of the builder. `op` starts with `!` if the condition is negated. A row without a value is not part of the filter. */
export interface ConditionDraft {
  readonly id: number;
  readonly attribute: string;
  readonly op: string;
  readonly value: Condition['value'];
}

export type Draft = GroupDraft | ConditionDraft;

export const isGroup = (draft: Draft): draft is GroupDraft => 'join' in draft;

let lastId = 0;
export const newId = (): number => ++lastId;

export const blankCondition = (): ConditionDraft => ({
  id: newId(),
  attribute: '',
  op: '',
  value: undefined,
});

export const blankGroup = (join: Join = 'any'): GroupDraft => ({
  id: newId(),
  join,
  members: [blankCondition()],
});

const negated: Readonly<Record<string, string>> = { eq: 'ne', ne: 'eq' };

const conditionDraft = (condition: Condition, isNegated: boolean): ConditionDraft => {
  const { attribute, op, value } = condition;
  const isUnset = op === 'is_set' && value === false;
  const sign = isUnset ? !isNegated : isNegated;
  const own = op === 'is_set' ? undefined : value;
  return {
    id: newId(),
    attribute,
    op: sign ? (negated[op] ?? `!${op}`) : op,
    value: own,
  };
};

const draftOf = (tree: FilterTree, isNegated = false): Draft => {
  if ('not' in tree) return draftOf(tree.not, !isNegated);
  const members = membersOf(tree);
  if (!members) return conditionDraft(tree as Condition, isNegated);
  const join = 'all' in tree ? (isNegated ? 'not_all' : 'all') : isNegated ? 'none' : 'any';
  return { id: newId(), join, members: members.map((member) => draftOf(member)) };
};

/** What the builder shows for a filter: always a group. */
export const draftGroup = (tree: FilterTree | undefined): GroupDraft => {
  const draft = tree && draftOf(tree);
  if (draft && isGroup(draft)) return draft;
  return { id: newId(), join: 'all', members: draft ? [draft] : [] };
};

const isComplete = ({ attribute, op, value }: ConditionDraft): boolean => {
  if (attribute === '' || op === '') return false;
  if (op.endsWith('is_set')) return true;
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== '';
};

/** Whether a row has an attribute and no value yet. */
export const isUnfinished = (draft: Draft): boolean =>
  isGroup(draft) ? draft.members.some(isUnfinished) : draft.attribute !== '' && !isComplete(draft);

const conditionOf = ({ attribute, op, value }: ConditionDraft): FilterTree => {
  if (op.endsWith('is_set')) return { attribute, op: 'is_set', value: op === 'is_set' };
  const condition = { attribute, op: op.replace('!', ''), ...(value !== undefined && { value }) };
  return op.startsWith('!') ? { not: condition } : condition;
};

/** The filter that a draft describes, without its incomplete rows and empty groups; undefined if nothing is left. */
export const treeOf = (draft: Draft): FilterTree | undefined => {
  if (!isGroup(draft)) return isComplete(draft) ? conditionOf(draft) : undefined;
  const members = draft.members.map(treeOf).filter((member) => member !== undefined);
  if (members.length === 0) return undefined;
  if (draft.join === 'all') return { all: members };
  if (draft.join === 'any') return { any: members };
  return { not: draft.join === 'none' ? { any: members } : { all: members } };
};

/** The number of rows, complete or not. */
export const rowCount = (draft: Draft): number =>
  isGroup(draft) ? draft.members.reduce((sum, member) => sum + rowCount(member), 0) : 1;

/** The levels of groups that a group has by itself: a negation is one. */
export const levelsOf = ({ join }: GroupDraft): number => (join === 'all' || join === 'any' ? 1 : 2);

/** Replaces the draft with an id, or removes it. */
export const replaceDraft = (group: GroupDraft, id: number, next: Draft | undefined): GroupDraft => ({
  ...group,
  members: group.members.flatMap((member) => {
    if (member.id === id) return next ? [next] : [];
    return [isGroup(member) ? replaceDraft(member, id, next) : member];
  }),
});
