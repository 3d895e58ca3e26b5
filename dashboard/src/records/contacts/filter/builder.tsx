import { FolderPlus, Plus, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../../lib/i18n.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { cx } from '../../../ui/cx.ts';
import { Select } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import { type Attribute, hasValue, isList, isPeriod, opsOf } from './attributes.ts';
import { useAttributes } from './options.ts';
import { opLabel } from './sentence.ts';
import {
  blankCondition,
  blankGroup,
  type ConditionDraft,
  type Draft,
  draftGroup,
  type FilterTree,
  type GroupDraft,
  isGroup,
  isUnfinished,
  isWithinLimits,
  type Join,
  joins,
  levelsOf,
  MAX_CONDITIONS,
  MAX_DEPTH,
  replaceDraft,
  rowCount,
  treeOf,
} from './tree.ts';
import { ValueEditor } from './value-editor.tsx';

const joinLabels: Readonly<Record<Join, string>> = {
  all: t('all of these'),
  any: t('any of these'),
  none: t('none of these'),
  not_all: t('not all of these'),
};

interface Shared {
  readonly attributes: ReadonlyMap<string, Attribute>;
  readonly isFull: boolean;
  /** The row or group that was just added, which gets the focus. */
  readonly added: number | undefined;
  readonly onReplace: (id: number, next: Draft | undefined) => void;
  readonly onAdd: (to: GroupDraft, draft: Draft) => void;
}

/** The first choice of an operator, such that the value of another one is kept where it fits. */
const withAttribute = (row: ConditionDraft, attribute: Attribute): ConditionDraft => ({
  ...row,
  attribute: attribute.name,
  op: opsOf(attribute)[0] ?? 'eq',
  value: undefined,
});

const withOp = (row: ConditionDraft, op: string): ConditionDraft => {
  const isKept = hasValue(op) && isList(op) === isList(row.op) && isPeriod(op) === isPeriod(row.op);
  const listed = isList(op) && row.value !== undefined && !isPeriod(row.op) ? [row.value].flat() : undefined;
  return { ...row, op, value: isKept ? row.value : listed };
};

const Row = ({ row, word, shared }: { row: ConditionDraft; word: string; shared: Shared }) => {
  const { attributes, onReplace, added } = shared;
  const attribute = attributes.get(row.attribute);
  const offered = [...attributes.values()].filter(
    ({ isHidden, name }) => !isHidden || name === row.attribute,
  );
  const isUnknown = row.attribute !== '' && !attribute;
  const ops = attribute ? opsOf(attribute) : [];
  const shownOps = row.op === '' || ops.includes(row.op) ? ops : [row.op, ...ops];
  return (
    <li className="grid grid-cols-[1fr_auto] items-start gap-2 sm:grid-cols-[2.5rem_minmax(0,1.2fr)_minmax(0,1fr)_minmax(0,1.4fr)_auto]">
      <span className="text-sm text-muted max-sm:col-span-2 max-sm:empty:hidden sm:pt-2 sm:text-end">
        {word}
      </span>
      <Select
        label={t('Attribute')}
        hideLabel
        autoFocus={row.id === added}
        placeholder={t('Choose an attribute')}
        options={[
          ...(isUnknown ? [{ value: row.attribute, label: row.attribute }] : []),
          ...offered.map(({ name, label }) => ({ value: name, label })),
        ]}
        value={row.attribute}
        onChange={({ target }) => {
          const next = attributes.get(target.value);
          onReplace(row.id, next ? withAttribute(row, next) : { ...blankCondition(), id: row.id });
        }}
      />
      {attribute ? (
        <Select
          label={t('Operator')}
          hideLabel
          className="max-sm:order-1 max-sm:col-span-2"
          options={shownOps.map((op) => ({ value: op, label: opLabel(attribute, op) }))}
          value={row.op}
          onChange={({ target }) => onReplace(row.id, withOp(row, target.value))}
        />
      ) : (
        <span className="max-sm:hidden" />
      )}
      <div className="min-w-0 max-sm:order-1 max-sm:col-span-2 max-sm:empty:hidden">
        {attribute && hasValue(row.op) && (
          <ValueEditor
            attribute={attribute}
            op={row.op}
            value={row.value}
            onChange={(value) => onReplace(row.id, { ...row, value })}
          />
        )}
      </div>
      <IconButton
        label={t('Remove condition')}
        icon={<X aria-hidden />}
        onClick={() => onReplace(row.id, undefined)}
      />
    </li>
  );
};

const Group = ({
  group,
  level,
  shared,
}: {
  readonly group: GroupDraft;
  /** The number of groups around it. */
  readonly level: number;
  readonly shared: Shared;
}) => {
  const { onReplace, onAdd, isFull } = shared;
  const addButton = useRef<HTMLButtonElement>(null);
  const inner = level + levelsOf(group);
  // The removed row had the focus.
  const own: Shared = {
    ...shared,
    onReplace: (id, next) => {
      if (!next) addButton.current?.focus();
      onReplace(id, next);
    },
  };
  const word = group.join === 'all' || group.join === 'not_all' ? t('and') : t('or');
  return (
    <fieldset className={level > 0 ? 'rounded-lg border border-line bg-sunken/50 p-3' : undefined}>
      <legend className="sr-only">{t('Group of conditions')}</legend>
      <div className={cx('mb-3 flex items-center gap-2 text-sm', level === 0 && 'flex-wrap')}>
        <span>{level > 0 ? t('match') : t('Contacts that match')}</span>
        <Select
          label={t('How the conditions are combined')}
          hideLabel
          className="min-w-0 max-sm:flex-1 sm:w-52"
          options={joins.map((join) => ({ value: join, label: joinLabels[join] }))}
          value={group.join}
          onChange={({ target }) => onReplace(group.id, { ...group, join: target.value as Join })}
        />
        {level > 0 && (
          <IconButton
            label={t('Remove group')}
            icon={<X aria-hidden />}
            className="ms-auto"
            onClick={() => onReplace(group.id, undefined)}
          />
        )}
      </div>
      <ul className="flex flex-col gap-2 max-sm:gap-4">
        {group.members.map((member, at) =>
          isGroup(member) ? (
            <li key={member.id} className="flex gap-2 max-sm:flex-col">
              <span className="shrink-0 text-sm text-muted sm:w-10 sm:pt-4 sm:text-end">
                {at > 0 && word}
              </span>
              <div className="min-w-0 flex-1">
                <Group group={member} level={inner} shared={own} />
              </div>
            </li>
          ) : (
            <Row key={member.id} row={member} word={at > 0 ? word : ''} shared={own} />
          ),
        )}
      </ul>
      <div className="mt-3 flex flex-wrap gap-2 sm:ps-12">
        <Button ref={addButton} size="small" disabled={isFull} onClick={() => onAdd(group, blankCondition())}>
          <Plus aria-hidden />
          {t('Add condition')}
        </Button>
        {inner < MAX_DEPTH && (
          <Button
            size="small"
            variant="quiet"
            disabled={isFull}
            onClick={() => onAdd(group, blankGroup(group.join === 'any' ? 'all' : 'any'))}
          >
            <FolderPlus aria-hidden />
            {t('Add group')}
          </Button>
        )}
      </div>
    </fieldset>
  );
};

/** Edits a filter. `onChange` gets it without rows that are not complete yet: after a pause if the URL stores it, as it is entered in a form. */
const FilterBuilder = ({
  value,
  onChange,
  delayMs = 0,
}: {
  readonly value: FilterTree | undefined;
  readonly onChange: (tree: FilterTree | undefined) => void;
  readonly delayMs?: number;
}) => {
  const attributes = useAttributes();
  const [draft, setDraft] = useState(() => {
    const group = draftGroup(value);
    return group.members.length > 0 ? group : { ...group, members: [blankCondition()] };
  });
  const [added, setAdded] = useState(() => (value ? undefined : draft.members[0]?.id));
  const tree = treeOf(draft);
  const isAccepted = !tree || isWithinLimits(tree);
  const text = JSON.stringify(tree) ?? '';
  const outside = JSON.stringify(value) ?? '';
  /** The filter as it was last seen outside, and as the draft then described it. */
  const known = useRef({ outside, text });
  const latest = useRef(onChange);
  latest.current = onChange;
  // The filter was changed elsewhere, such as by the back button.
  useEffect(() => {
    if (outside === known.current.outside) return;
    const next = draftGroup(value);
    known.current = { outside, text: JSON.stringify(treeOf(next)) ?? '' };
    setDraft(next);
  }, [outside, value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is the tree
  useEffect(() => {
    if (text === known.current.text || !isAccepted) return;
    const timer = setTimeout(() => {
      known.current = { outside: text, text };
      latest.current(tree);
    }, delayMs);
    return () => clearTimeout(timer);
  }, [text, isAccepted]);
  if (!attributes) return <Skeleton className="h-24 w-full" />;
  const replace = (id: number, next: Draft | undefined) =>
    setDraft((now) => (id === now.id && next ? (next as GroupDraft) : replaceDraft(now, id, next)));
  const shared: Shared = {
    attributes,
    added,
    isFull: rowCount(draft) >= MAX_CONDITIONS,
    onReplace: replace,
    onAdd: (to, member) => {
      setAdded(isGroup(member) ? member.members[0]?.id : member.id);
      replace(to.id, { ...to, members: [...to.members, member] });
    },
  };
  return (
    <>
      <Group group={draft} level={0} shared={shared} />
      {isUnfinished(draft) && (
        <p className="mt-2 text-[0.8125rem] text-muted sm:ps-12">
          {t('A condition without a value is not part of the filter.')}
        </p>
      )}
      <div aria-live="polite">
        {shared.isFull && (
          <p className="mt-2 text-[0.8125rem] text-muted">
            {t('A filter can have at most {max} conditions.', { max: MAX_CONDITIONS })}
          </p>
        )}
        {!isAccepted && (
          <Notice tone="warn" className="mt-2">
            {t('The groups are nested too deeply, so this change is not applied. Remove a group.')}
          </Notice>
        )}
      </div>
    </>
  );
};

export default FilterBuilder;
